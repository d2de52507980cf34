// What is mapped over which two variables, with their ends and numbers of cells.
import { update, useStore } from '../store';
import type { AxisRequest, Hello, QuantityEntry, SceneReport, Variable } from '../types';
import { NumberField, Select } from '../ui';
import { axisOf, countFor, mappable, mostCount, simulationCount, type Axes } from './axes';

const groupTitles: Record<Variable['group'], string> = { state: 'State', parameters: 'Parameters', contact: 'Contacts', forces: 'Forces' };

function groupOf(quantity: QuantityEntry): string {
  if (quantity.words) return quantity.cost === 'simulation' ? 'Words, a run per cell' : 'Words';
  return { contact: 'Numbers of a contact', modes: 'Numbers of the modes', analysis: 'Numbers of an analysis', simulation: 'Numbers, a run per cell' }[quantity.cost];
}

function AxisControls(props: { which: 'x' | 'y'; axis: AxisRequest; variables: Variable[]; most: number; onChange: (axis: AxisRequest) => void }) {
  const { which, axis, variables } = props;
  const variable = variables.find((one) => one.path === axis.path);
  const unit = variable?.unit ?? '1';
  const ends = (from: number, to: number) => from !== to && props.onChange({ ...axis, from: Math.min(from, to), to: Math.max(from, to) });
  return (
    <span class="map-axis" role="group" aria-label={`${which} axis`}>
      <span class="axis-sign" aria-hidden="true">{which === 'x' ? '→' : '↑'}</span>
      <Select
        label={`variable of the ${which} axis`}
        testid={`map-${which}`}
        value={axis.path}
        options={variables.map((one) => ({ value: one.path, text: one.name, group: groupTitles[one.group] }))}
        onChange={(path) => {
          const chosen = variables.find((one) => one.path === path);
          if (chosen) props.onChange(axisOf(chosen, axis.count));
        }}
      />
      <NumberField value={axis.from} unit={unit} room={63} label={`${which} from`} testid={`map-${which}-from`} onChange={(value) => ends(value, axis.to)} />
      <span aria-hidden="true">…</span>
      <NumberField value={axis.to} unit={unit} room={63} label={`${which} to`} testid={`map-${which}-to`} onChange={(value) => ends(axis.from, value)} />
      <span aria-hidden="true">×</span>
      <NumberField
        value={axis.count}
        unit="1"
        room={38}
        label={`${which} cells`}
        testid={`map-${which}-count`}
        onChange={(value) => props.onChange({ ...axis, count: Math.min(props.most, Math.max(2, Math.round(value))) })}
      />
    </span>
  );
}

export function MapControls(props: { hello: Hello; scene: SceneReport; axes: Axes; quantity: QuantityEntry | undefined }) {
  const state = useStore();
  const { hello, scene, axes, quantity } = props;
  const most = quantity?.cost === 'simulation' ? 200 : mostCount;
  const change = (which: 'x' | 'y', axis: AxisRequest) => {
    const other = which === 'x' ? 'y' : 'x';
    // The variable of the other axis: the two change places.
    const next = axis.path === axes[other].path ? { [which]: axes[other], [other]: axes[which] } : { [which]: axis, [other]: axes[other] };
    update({ map: { ...state.map, ...next } });
  };
  const choose = (name: string) => {
    const chosen = hello.quantities.find((one) => one.name === name);
    const count = countFor(chosen, scene.contacts.length);
    // A grid for quick quantities would take hours of runs; the grid of runs is coarse for quick ones.
    const fitted = (axis: AxisRequest | null) => axis && (count < axis.count || axis.count === simulationCount ? { ...axis, count } : axis);
    update({ map: { of: name, x: fitted(state.map.x), y: fitted(state.map.y) } });
  };
  const quantities = hello.quantities.map((one) => ({ value: one.name, text: `${one.name}: ${one.meaning}`, group: groupOf(one) }));
  quantities.sort((a, b) => Number(b.group.startsWith('Words')) - Number(a.group.startsWith('Words')) || a.group.localeCompare(b.group));
  return (
    <div class="map-controls">
      <Select label="quantity" testid="map-of" value={quantity?.name ?? ''} options={quantities} onChange={choose} />
      {quantity?.of_contact && scene.contacts.length > 1 && (
        <Select
          label="contact"
          testid="map-contact"
          value={String(Math.min(state.contact, scene.contacts.length - 1))}
          options={scene.contacts.map((name, index) => ({ value: String(index), text: name }))}
          onChange={(index) => update({ contact: Number(index) })}
        />
      )}
      <AxisControls which="x" axis={axes.x} variables={mappable(scene)} most={most} onChange={(axis) => change('x', axis)} />
      <AxisControls which="y" axis={axes.y} variables={mappable(scene)} most={most} onChange={(axis) => change('y', axis)} />
    </div>
  );
}
