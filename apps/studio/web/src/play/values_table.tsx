// Numbers of many contacts at the cursor: one table for all plots, where legends of their own would take their room.
import { useEffect, useRef } from 'preact/hooks';
import { format } from '../format';
import { contactColour, dashes } from './palette';
import { quantities, type Quantity } from './plot_data';
import type { PlotsProps } from './plots';
import { sampleAt } from './tracks';

export const mostInLegend = 3;  // curves

function cellText(quantity: Quantity, contact: number, props: PlotsProps, sample: number): string {
  const curves = quantity.curves.filter((curve) => curve.contact === contact);
  return curves.map((curve) => format(curve.of(props.played)[sample], 4)).join(', ');
}

export function ValuesTable(props: PlotsProps) {
  const { played, clock, hover, palette } = props;
  const body = useRef<HTMLTableSectionElement>(null);
  const shown = quantities(played).filter((quantity) => quantity.curves.length > mostInLegend);
  useEffect(() => {
    const write = () => {
      const sample = sampleAt(played, hover.value ?? clock.t.value);
      body.current?.querySelectorAll('tr').forEach((row, contact) =>
        row.querySelectorAll('td').forEach((cell, k) => (cell.textContent = cellText(shown[k]!, contact, props, sample))));
    };
    write();
    const ends = [clock.t.subscribe(write), hover.subscribe(write)];
    return () => ends.forEach((end) => end());
  }, [played]);
  if (shown.length === 0) return null;
  return (
    <div class="values-table">
      <table>
        <thead>
          <tr><th>contact</th>{shown.map((quantity) => <th key={quantity.key} title={quantity.name}><i>{quantity.symbol}</i> [{quantity.unit}]</th>)}</tr>
        </thead>
        <tbody ref={body}>
          {played.contacts.map((name, contact) => (
            <tr key={name}>
              <th>
                <svg width="20" height="8" aria-hidden="true"><path d="M0,4 H20" stroke={contactColour(palette, contact)} stroke-width="2" stroke-dasharray={dashes[contact % dashes.length]!.join(' ')} /></svg> {name}
              </th>
              {shown.map((quantity) => <td key={quantity.key} />)}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
