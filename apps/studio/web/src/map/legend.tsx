// The legend beside a map: words with their colours and shares, or the bar of the ramp with its ends and the extremes.
import { useEffect, useRef } from 'preact/hooks';
import { modeText } from '../format';
import { extremes, percent, rampEnds } from './legend_text';
import type { Legend } from './paint';
import { drawBar } from './picture';

function Bar(props: { legend: Legend; unit: string }) {
  const canvas = useRef<HTMLCanvasElement>(null);
  useEffect(() => {
    const pen = canvas.current?.getContext('2d');
    if (pen) drawBar(pen, { left: 0, top: 0, width: 180, height: 14 }, props.legend);
  }, [props.legend]);
  const [low, high] = rampEnds(props.legend, props.unit);
  return (
    <span class="map-bar">
      <span>{low}</span>
      <canvas ref={canvas} width={180} height={14} aria-hidden="true" />
      <span>{high}</span>
      <span class="hint">{extremes(props.legend, props.unit)}</span>
    </span>
  );
}

export function MapLegend(props: { legend: Legend; unit: string }) {
  const { legend } = props;
  const missing = legend.kind === 'empty' ? 0 : legend.missing;
  return (
    <div class="map-legend" data-testid="map-legend">
      {legend.kind === 'numbers' && <Bar legend={legend} unit={props.unit} />}
      {legend.kind === 'words' && legend.entries.map((entry) => (
        <span key={entry.word} class="map-word">
          <i style={{ backgroundColor: entry.colour }} aria-hidden="true" />
          {modeText(entry.word)} <span class="hint">{percent(entry.share)}</span>
        </span>
      ))}
      {missing > 0 && <span class="map-word"><i class="map-none" aria-hidden="true" />no value <span class="hint">{percent(missing)}</span></span>}
    </div>
  );
}
