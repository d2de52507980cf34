import { describe, expect, it } from 'vitest';
import { sampleTree, track } from './sample_tree';
import { ancestry, beginning, branchOf, endingWords, extent, leafBelow, leaves, leavingPiece, ledgerOf, nearestIndex, reportOf } from './tracks';

describe('tree of futures', () => {
  const result = sampleTree();
  const { tracks } = result;

  it('knows the way from the root to each track', () => {
    expect(ancestry(tracks, 4)).toEqual([0, 2, 4]);
    expect(ancestry(tracks, 0)).toEqual([0]);
    expect(leaves(tracks)).toEqual([1, 3, 4]);
    expect(leafBelow(tracks, 2)).toBe(3);
    expect(leafBelow(tracks, 0)).toBe(1);
  });

  it('does not run in circles on a parent that comes later', () => {
    expect(ancestry([track(1, [0]), track(0, [0])], 1)).toEqual([0, 1]);
    expect(ancestry([track(0, [0])], 0)).toEqual([0]);
  });

  it('begins a branch with the samples, frames and events of its ancestors', () => {
    const branch = branchOf(tracks, 4);
    expect(branch.t).toEqual([0, 0.5, 1, 1, 1.5, 1.5, 3]);
    expect(branch.frames.map((frame) => frame.t)).toEqual(branch.t);
    expect(branch.events.map((event) => event.t)).toEqual([0.5, 1.25]);
    expect(branch.gap[0]!.slice(0, 3)).toEqual(tracks[0]!.gap[0]);
    expect(branch.pieces.map((piece) => piece.first)).toEqual([0, 3, 5]);
  });

  it('leaves out what an ancestor did after the branching', () => {
    const late = [track(-1, [0, 1, 2, 3], [0.5, 2.5]), track(0, [1, 4])];
    const branch = branchOf(late, 1);
    expect(branch.t).toEqual([0, 1, 1, 4]);
    expect(branch.events.map((event) => event.t)).toEqual([0.5]);
  });

  it('finds where one branch leaves another', () => {
    expect(leavingPiece(branchOf(tracks, 1), branchOf(tracks, 4))).toEqual({ track: 2, first: 3, from: 1 });
    expect(leavingPiece(branchOf(tracks, 4), branchOf(tracks, 3))!.track).toBe(3);
    expect(leavingPiece(branchOf(tracks, 4), branchOf(tracks, 2))).toBeNull();
  });

  it('begins where its futures do when it branched before the first sample', () => {
    const empty = [track(-1, []), track(0, [0.25, 1])];
    expect(beginning(empty, 0)).toBe(0.25);
    expect(extent(empty)).toEqual([0.25, 1]);
    expect(branchOf(empty, 1).t).toEqual([0.25, 1]);
  });

  it('finds the report of a track and adds the ledgers along its way', () => {
    expect(reportOf(result, 4)!.energy['final']).toBe(2.5);
    const ledger = ledgerOf(result, 4)!;
    expect(ledger).toEqual({ initial: 10, friction: 6, impact: 3, applied: 1.5, final: 2.5, defect: 0, parts: 3 });
    expect(ledger.initial - ledger.friction - ledger.impact + ledger.applied + ledger.defect).toBe(ledger.final);
  });

  it('says how a track ends', () => {
    expect(endingWords(tracks, 4)).toBe('jams at t = 3 s, outcome S+');
    expect(endingWords(tracks, 0)).toBe('branches at t = 1 s');
  });
});

describe('datum at a time', () => {
  const times = [0, 1, 2, 2, 3];
  it('is the nearest one', () => {
    expect(nearestIndex(times, 0.4)).toBe(0);
    expect(nearestIndex(times, 0.6)).toBe(1);
    expect(nearestIndex(times, -5)).toBe(0);
    expect(nearestIndex(times, 9)).toBe(4);
    expect(nearestIndex([], 1)).toBe(-1);
  });
  it('is after a jump from the jump on, and never of an event to come', () => {
    expect(nearestIndex(times, 1.9)).toBe(2);
    expect(nearestIndex(times, 1.9, [0.5, 2])).toBe(1);
    expect(nearestIndex(times, 1.9, [2.5])).toBe(2);
    expect(nearestIndex(times, 2, [2])).toBe(3);
    expect(nearestIndex(times, 2.1, [2])).toBe(3);
  });
});
