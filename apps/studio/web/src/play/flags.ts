// Event flags that would lie on each other become one flag with a count.
export interface Flag {
  at: number;       // [px] along the axis
  events: number[];  // indices, in the order of time
}

// `places`: where the flags of the events belong, ascending. A flag takes in what follows while it is closer than
// `width` to the first of them, so that flags never overlap and nothing drifts along a long row of close events.
export function clusterFlags(places: number[], width: number): Flag[] {
  const flags: Flag[] = [];
  places.forEach((at, index) => {
    const last = flags.at(-1);
    if (last && at - last.at < width) last.events.push(index);
    else flags.push({ at, events: [index] });
  });
  return flags;
}

// Which event of a flag a click goes to: the next one after t, and the first again after the last.
export function eventAfter(flag: Flag, times: number[], t: number): number {
  return flag.events.find((index) => times[index]! > t) ?? flag.events[0]!;
}

// On a flag of two digits' width.
export function countText(count: number): string {
  return count > 999 ? '…' : String(count);
}

export const eventWords: Record<string, string> = {
  stick: 'sticks',
  slip: 'slips',
  liftoff: 'lifts off',
  landing: 'lands',
  impact: 'impact',
  iwc: 'impact without collision',
  jam: 'jams',
  chatter: 'chatter',
  reverse_chatter: 'reverse chatter',
  mode: 'mode changes',
};

// One sign per kind for the flag.
export const eventSigns: Record<string, string> = {
  stick: 'T',
  slip: 'S',
  liftoff: '↑',
  landing: '↓',
  impact: '✶',
  iwc: 'I',
  jam: 'J',
  chatter: '≈',
  reverse_chatter: '≋',
  mode: '·',
};
