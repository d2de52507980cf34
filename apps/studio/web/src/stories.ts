// The guided tour: each step is a state of the page with a few sentences. Every number here is one that the program gives
// for the very scene that is shown; where gravity is 1, the scenario says so.
import { initialState, type PageState } from './state';

type Settings = Partial<Pick<PageState, 'view' | 'mode' | 'contact' | 'map' | 'play' | 'solutions' | 'fast' | 'limit'>>;

export interface StoryStep {
  title: string;
  text: string[];      // a sentence or two each; $…$ is a formula
  formulas: string[];  // KaTeX
  invitation: string;
  scene: { name: string; set?: Record<string, number | string> };
  settings: Settings;
}

const initial = initialState();
const play = (settings: Partial<PageState['play']>): Settings => ({ view: 'play', play: { ...initial.play, ...settings } });

export const stories: StoryStep[] = [
  {
    title: 'The falling pencil',
    text: [
      'A rod stands on its tip, almost upright, and falls. Its tip has three choices: lift off (F), stick (T) or slip (S).',
      'Mechanics must say which. Here it always can: the tip sticks, slips backwards from 0.56 s, and forwards from 0.89 s until the rod lies flat.',
      'The reason is the number $p$. It says how much a normal force of 1 N pushes the slipping tip away from the floor, with the friction that this force brings along. Here $p$ stays positive: press harder, and the tip comes up.',
    ],
    formulas: ['p = W_{nn} - \\mu\\, W_{tn}\\, e', 'a_n = b_n + p\\,\\lambda_n'],
    invitation: 'Press space to play. Then set tip.mu to 0.5: now the tip sticks until 0.87 s and only slips forwards.',
    scene: { name: 'rod-falling' },
    settings: play({ method: 'event', policy: 'principle', t_end: 1.08 }),
  },
  {
    title: 'No solution',
    text: [
      'The rod slides to the left, tip first, like chalk pushed over a board ($\\mu = 1.5$; gravity is 1 m/s² here).',
      'Lift off? Without a force the tip would sink into the floor. Slip? Friction turns the rod into the floor faster than the normal force can push it out: $p = -0.199$ per kg, and only a pulling force of −5.04 N would hold the tip. Floors do not pull.',
      'No acceleration obeys Newton, Coulomb and the rigid floor together. Painlevé found this in 1895.',
    ],
    formulas: ['b_n < 0,\\quad p < 0 \\;\\Rightarrow\\; \\lambda_n = -\\dfrac{b_n}{p} < 0', 'm\\,p = 1 + 3\\cos^2\\theta - 3\\mu\\,|\\sin\\theta\\cos\\theta|'],
    invitation: 'Drag the rod upright and watch $p$ change sign at 107°. Or lower tip.mu below 1.347. Key 3 maps every angle and friction: for a thin rod the paradox begins at $\\mu = 4/3$.',
    scene: { name: 'rod-no-solution' },
    settings: { view: 'scene' },
  },
  {
    title: 'Three solutions',
    text: [
      'The same rod, but a torque lifts its tip: without a force it would rise with 1.5 m/s².',
      'So it may leave the floor: every law is obeyed. But if the floor presses with 7.554 N, friction turns the rod down just as fast: the tip stays, and every law is obeyed again.',
      'A time step of 10 ms finds a third answer: an impulse of 0.327 N s that stops the tip at once. A solver returns one of them and keeps silent about the others (here Lemke and Gauss-Seidel both lift off); these are all there are.',
    ],
    formulas: ['0 \\le \\lambda_n \\;\\perp\\; b_n + p\\,\\lambda_n \\ge 0', 'p < 0 < b_n \\;\\Rightarrow\\; \\lambda_n \\in \\{0,\\; -b_n/p\\}'],
    invitation: 'Click each solution and see where it leads. Then set the time step to 50 ms: beyond 44.1 ms the sliding and the sticking answer have met and vanished.',
    scene: { name: 'rod-three-solutions' },
    settings: { view: 'solutions', solutions: { formulation: 'step', dt: 0.01, chosen: 1 } },
  },
  {
    title: 'Jam',
    text: [
      'Can a motion that begins regularly run into the paradox? This rod slides at 50 m/s with $p > 0$; as it turns, $p$ and $b_n$ reach zero at the same instant, t = 36.7 ms.',
      'On the way the normal force grows without bound, like $(t^*-t)^{-0.388}$; its impulse stays finite (0.80 N s). The tip still slides at 47.9 m/s when it jams.',
      'With gravity alone this needs $\\mu > 8/(3\\sqrt 3) = 1.54$ and a rod that turns upwards.',
    ],
    formulas: ['\\lambda_n = -\\dfrac{b_n}{p} \\;\\to\\; \\infty', 'p = b_n = 0 \\;\\text{ at } t^*'],
    invitation: 'The plots show the logarithm of the time to the jam: see the force climb from 15 N to over 100 N within the last ten milliseconds, and further than any plot reaches. Then set tip.mu to 1.5: nothing jams, and the rod slides on until it lifts off at 0.25 s.',
    scene: { name: 'rod-jam' },
    settings: play({ method: 'event', policy: 'all', t_end: 0.3, track: 1, zoom: 0 }),
  },
  {
    title: 'Impact without collision',
    text: [
      'Back to the rod without a solution. It touches the floor, nothing approaches, and yet something must happen.',
      'Give the floor a spring, however stiff. Since $p < 0$, the force that should push the tip out presses it in, and grows exponentially; it ends only when the slip has stopped. In the rigid limit that is an impulse.',
      'Here it stops the slip of 1 m/s at once: 0.325 N s upwards, 0.4375 N s along the floor, and 0.219 J are gone. Afterwards the tip sticks.',
    ],
    formulas: ['\\ddot z = b_n + p\\,\\lambda_n,\\quad \\lambda_n = -kz - \\nu\\dot z', 's^2 + p\\,\\nu\\, s + p\\,k = 0 \\;\\Rightarrow\\; s > 0 \\text{ if } p < 0'],
    invitation: 'Press space to play. Key 6 compares springs of growing stiffness: all of them strike, and each tends to an impact; how far it rebounds depends on their damping.',
    scene: { name: 'rod-no-solution' },
    settings: { ...play({ method: 'event', policy: 'all', t_end: 0.5 }), limit: { of: 'stiffness', from: 1e4, to: 1e8, count: 5, t_end: 0.1, begun: false } },
  },
  {
    title: 'Reverse chatter and chalk',
    text: [
      'A dropped ball bounces lower and lower. A pushed piece of chalk can do the opposite: at the moment when its tip stops, 0.53 ms after the start, bounces may grow out of nothing, each landing 2.04 times as fast as the one before.',
      'Each impact alone loses energy (restitution 0.83), but it catches the tip in mid slip and turns slip into lift.',
      'The result is a dotted line: a dot every 15 ms, 4.6 mm apart. Sliding is regular here, $p > 0$: paradoxes are not needed, only friction that couples t and n.',
    ],
    formulas: ['e = \\dfrac{v_{k+1}}{v_k} = 2.04 > 1', 'e > 1 \\text{ needs } p_+ < r^2 K,\\quad K = W_{nn} - \\dfrac{W_{tn}^2}{W_{tt}}'],
    invitation: 'Play the branches of the tree side by side: sticking first, or bouncing from nothing. Then set hand_speed to 0.15: on the branches that begin with sticking the hops die out, and the chalk draws a line.',
    scene: { name: 'chalk-dots' },
    settings: play({ method: 'event', policy: 'all', t_end: 0.06, track: 2, ghosts: [1] }),
  },
  {
    title: 'Two contacts',
    text: [
      'A block touches two walls that lean over it by 0.2 rad, and is let go. It may fall: then the walls exert no force.',
      'It may also hang: the walls press, and friction carries the weight. The walls must press with at least 51.4 N each to hold 9.81 N, and nothing says that they do; nothing says that they do not.',
      'Both obey every law although $\\mu = 0.3$ is far below $\\mu_\\mathrm{jam} = 2.34$ at both contacts: two contacts make an ambiguity of their own.',
    ],
    formulas: ['\\mathrm{FF}: \\text{ always}', '\\mathrm{TT}: \\;\\mu > \\tan\\beta = 0.2027', '\\lambda_n \\ge \\dfrac{mg}{2(\\mu\\cos\\beta - \\sin\\beta)}'],
    invitation: 'Click the rows FF and TT of the table and compare the forces. Then lower left.mu below 0.2027: only falling is left.',
    scene: { name: 'wedge' },
    settings: { view: 'scene', mode: 'TT' },
  },
  {
    title: 'A robot arm with realistic friction',
    text: [
      'A thin rod needs $\\mu > 4/3$, more than most things have. Is the paradox a curiosity? An arm of three links that wipes a table needs much less. The map shows its verdict at an everyday $\\mu = 0.5$, for every reach x and angle theta3 of the hand: the orange postures have no solution.',
      'At the crosshair $\\mu_\\mathrm{jam} = 0.421$: slip within 32.7° of straight inwards has $p < 0$. This hand wipes 18.8° beside that line, and $p = -0.312$ per kg.',
      'A torque of −5 N m in the shoulder lifts the tip, and then there are two: free, or pressed with 10.29 N.',
    ],
    formulas: ['\\mu_\\mathrm{jam} = \\dfrac{W_{nn}}{\\lVert W_{tn}\\rVert}', '\\alpha = 2\\arccos\\dfrac{\\mu_\\mathrm{jam}}{\\mu} = 65.4^\\circ'],
    invitation: 'Drag the crosshair out of the orange region and watch the verdict; choose mu_jam above to see how little friction each posture needs. Then set torque1 (under Forces) to −5. Key 1 shows the cone.',
    scene: { name: 'arm-jam' },
    settings: {
      view: 'map',
      map: { x: { path: 'state.x', from: 0.1, to: 0.7, count: 150 }, y: { path: 'state.theta3', from: Math.PI / 2, to: (2 * Math.PI) / 3, count: 150 }, of: 'verdict' },
    },
  },
  {
    title: 'Who decides? The stiff limit',
    text: [
      'Three solutions, and nature takes one. No body is perfectly rigid: put a stiff spring into the contact (here 10⁶ N/m) and look at the first milliseconds, gap against velocity.',
      'The sliding solution is a saddle: the slightest disturbance grows by e in 1.8 ms, to one side or the other. Nobody will ever see it.',
      'What remains is lifting off, or the impact without collision. Released at rest, the tip lifts off if it is pressed with less than 7.554 N, and is struck if with more: rigid mechanics has forgotten the one number that decides.',
    ],
    formulas: ['z^* = -\\dfrac{\\lambda_n}{k} = -7.55\\,\\mu\\mathrm{m}', 's = 556\\,\\mathrm{s}^{-1} > 0'],
    invitation: 'Click on both sides of the separatrix to start trajectories, and read what becomes of them.',
    scene: { name: 'rod-three-solutions' },
    settings: { view: 'fast', fast: { contact: 0, stiffness: 1e6, damping: 1e3, starts: [] } },
  },
];

// The page as a step has it; what belongs to the reader, not to the step, stays.
export function storyState(index: number, theme: PageState['theme']): PageState {
  const step = stories[index];
  if (!step) return { ...initialState(), theme };
  return { ...initialState(), ...step.settings, scene: { name: step.scene.name, set: { ...step.scene.set } }, story: index, theme };
}
