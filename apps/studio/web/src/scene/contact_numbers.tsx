// The numbers of one contact that decide about the paradox, with their units; where one does not exist just now, the
// reason. Drifting contacts have few of them, and only those are shown.
import { format, formatWithUnit } from '../format';
import type { ContactAnalysis } from '../types';
import { drawnOnChange } from '../ui';

interface Entry {
  key: string;  // of the analysis
  symbol: string;
  unit: string;
  meaning: string;
  value: number | number[] | null | undefined;
}

function entries(contact: ContactAnalysis, dimension: number): Entry[] {
  const list: Entry[] = [
    { key: 'mu', symbol: 'μ', unit: '1', meaning: 'friction', value: contact.mu },
    { key: 'mu_jam', symbol: 'μ_jam', unit: '1', meaning: 'above it some slip direction jams: W_nn/‖W_tn‖', value: contact.mu_jam },
    { key: 'mu_crit', symbol: 'μ_crit', unit: '1', meaning: 'above it a contact force alone can hold the contact without slip', value: contact.mu_crit },
    { key: 'p', symbol: 'p', unit: '1/kg', meaning: 'Painlevé parameter of the present slip, W_nn − μ W_tn·e: normal acceleration per normal force', value: contact.p },
  ];
  if (dimension === 2) {
    list.push({ key: 'p_plus', symbol: 'p₊', unit: '1/kg', meaning: 'Painlevé parameter of slip along +t', value: contact.p_plus });
    list.push({ key: 'p_minus', symbol: 'p₋', unit: '1/kg', meaning: 'Painlevé parameter of slip along −t', value: contact.p_minus });
  } else {
    list.push({ key: 'locking_angle', symbol: 'α', unit: 'rad', meaning: 'locking angle: how wide the sector of jamming slip directions is', value: contact.locking_angle });
  }
  list.push(
    { key: 'u_n', symbol: 'uₙ', unit: 'm/s', meaning: 'velocity away from the surface', value: contact.u_n },
    { key: 'b_n', symbol: 'bₙ', unit: 'm/s^2', meaning: 'normal acceleration without contact force', value: contact.b_n },
    { key: 'u_t', symbol: 'uₜ', unit: 'm/s', meaning: 'velocity along the surface', value: contact.u_t },
    { key: 'b_t', symbol: 'bₜ', unit: 'm/s^2', meaning: 'tangential acceleration without contact force', value: contact.b_t },
  );
  return list;
}

function inWords(value: Entry['value'], unit: string): string {
  if (!Array.isArray(value)) return formatWithUnit(value, unit, 4);
  if (value.length === 1) return formatWithUnit(value[0], unit, 4);
  return `(${value.map((component) => format(component, 3)).join(', ')}) ${unit.replace('^2', '²')}`;
}

const Row = drawnOnChange((props: { name: string; symbol: string; title: string; look: string; words: string }) => (
  <div title={props.title} class={props.look}>
    <dt>{props.symbol}</dt>
    <dd data-key={props.name}>{props.words}</dd>
  </div>
));

export function ContactNumbers(props: { contact: ContactAnalysis; dimension: number }) {
  const { contact } = props;
  const drifting = (contact.W_tt as number[][] | null) === null;
  const shown = entries(contact, props.dimension).filter((entry) => !drifting || entry.value !== null);
  return (
    <dl class="numbers" data-testid="contact-numbers">
      {shown.map(({ key, symbol, unit, meaning, value }) => {
        const reason = value === null ? contact[`${key}_reason`] : undefined;
        const jams = symbol.startsWith('p') && typeof value === 'number' && value <= 0;
        const title = typeof reason === 'string' ? `${meaning}: none, ${reason}` : meaning;
        const look = `${jams ? 'jams' : ''} ${Array.isArray(value) && value.length > 1 ? 'wide' : ''}`;
        return <Row key={key} name={key} symbol={symbol} title={title} look={look} words={inWords(value, unit)} />;
      })}
    </dl>
  );
}
