import { describe, expect, it } from 'vitest';
import type { Figure } from '../scene/mechanism_view';
import { labelledOnce } from './labels';

function rod(label: string, tip: number): Figure {
  const strokes = [{ part: 'body' as const, points: [[0, 0, 0], [tip, 1, 0]] as [number, number, number][], closed: false, width: 1 }];
  return { drawing: { dimension: 2, strokes, balls: [], contacts: [], gravity: [0, -1, 0] }, opacity: 1, label };
}

describe('labels of branches', () => {
  it('are joined where postures coincide and stay apart where only one end does', () => {
    expect(labelledOnce([rod('F', 0), rod('S-', 0.01), rod('I', 0.5)]).map((figure) => figure.label)).toEqual(['F, S-', '', 'I']);
  });

  it('become a count where they are too long to be read', () => {
    const labels = ['reverse chatter at phase 0', 'reverse chatter at phase ½'];
    expect(labelledOnce(labels.map((label) => rod(label, 0)))[0]!.label).toBe('2 branches');
  });
});
