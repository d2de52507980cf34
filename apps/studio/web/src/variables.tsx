// A slider and a number for every parameter, state variable, contact setting and force of the scene.
import { useState } from 'preact/hooks';
import { format, shownUnit } from './format';
import { useLive, type Live } from './live';
import { set, useStore } from './store';
import type { Variable } from './types';
import { drawnOnChange, NumberField } from './ui';

const titles = { state: 'State', parameters: 'Parameters', contact: 'Contacts', forces: 'Forces' } as const;

// The newest value: what was set, what the analysis says, or what the description said.
export function valueNow(variable: Variable, live: Live, given: Record<string, number | string>): number {
  const mine = given[variable.path];
  if (typeof mine === 'number') return mine;
  const [group, name] = variable.path.split('.');
  const state = live.reply?.analysis.state;
  if (group === 'state' && name && state) {
    if (name in state.q) return state.q[name]!;
    if (name.endsWith('_dot') && name.slice(0, -4) in state.v) return state.v[name.slice(0, -4)]!;
  }
  return variable.value;
}

// A long name may break behind a dot or an underscore: cut off, "left.restitution" and "left.stiffness" look alike.
function breakable(name: string) {
  return name.split(/(?<=[._])/).flatMap((part, index) => (index === 0 ? [part] : [<wbr key={index} />, part]));
}

const VariableRow = drawnOnChange((props: { variable: Variable; value: number; given: boolean }) => {
  const { variable, value, given } = props;
  const shown = shownUnit(variable.unit);
  const from = Math.min(variable.from, value);
  const to = Math.max(variable.to, value);
  const change = (next: number) => set({ [variable.path]: next });
  const unset = variable.group === 'contact' && variable.solved && !given && value === 0;  // rigid: no spring is given
  return (
    <div class={`variable ${given ? 'given' : ''}`} title={`${variable.meaning}${shown.unit ? ` [${shown.unit}]` : ''}`}>
      <label for={`slider-${variable.path}`}>{breakable(variable.name)}</label>
      <input
        id={`slider-${variable.path}`}
        type="range"
        min={from}
        max={to}
        step="any"
        value={value}
        data-testid={`slider-${variable.path}`}
        aria-valuetext={`${format(value * shown.factor)} ${shown.unit}`}
        onInput={(event) => change(Number(event.currentTarget.value))}
        onKeyDown={(event) => {
          // Arrow keys move by a hundredth of the range: "any" alone would leave it to the browser.
          const steps: Record<string, number> = { ArrowRight: 1, ArrowUp: 1, ArrowLeft: -1, ArrowDown: -1, PageUp: 10, PageDown: -10 };
          const step = steps[event.key];
          if (!step) return;
          event.preventDefault();
          change(Math.min(to, Math.max(from, value + (step * (to - from)) / 100)));
        }}
      />
      <NumberField value={value} unit={variable.unit} label={variable.name} testid={`number-${variable.path}`} unset={unset} onChange={change} />
      <button
        type="button"
        class="reset"
        disabled={!given}
        aria-label={`take ${variable.name} back to the scenario`}
        title="as the scenario has it"
        onClick={() => set({ [variable.path]: undefined })}
      >
        ↺
      </button>
    </div>
  );
});

export function VariablesPanel() {
  const state = useStore();
  const live = useLive();
  const [closed, setClosed] = useState<Record<string, boolean>>({ forces: true });
  if (!live.scene) return <aside class="variables" />;
  const groups = Object.keys(titles) as (keyof typeof titles)[];
  return (
    <aside class="variables" data-testid="variables" aria-label="variables of the scene">
      {groups.map((group) => {
        const inside = live.scene!.variables.filter((variable) => variable.group === group);
        if (inside.length === 0) return null;
        return (
          <details key={group} open={!closed[group]} onToggle={(event) => setClosed({ ...closed, [group]: !event.currentTarget.open })}>
            <summary>{titles[group]}</summary>
            {inside.map((variable) => (
              <VariableRow
                key={variable.path}
                variable={variable}
                value={valueNow(variable, live, state.scene.set)}
                given={variable.path in state.scene.set}
              />
            ))}
          </details>
        );
      })}
    </aside>
  );
}
