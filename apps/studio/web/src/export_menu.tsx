// What can be taken away: picture, scenario, data, a report that stands alone, a link.
import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks';
import './export/export.css';
import { fileName } from './export/file_name';
import { markedSvg, pictureFile, svgFile } from './export/picture';
import { offeredData, offeredPicture } from './export/registry';
import { formatWithUnit } from './format';
import { reportFile } from './export/report';
import { useLive, type Live } from './live';
import { toFragment } from './state';
import { current, useStore } from './store';
import type { Hello } from './types';
import { download } from './ui';

interface Entry {
  testid: string;
  text: string;
  run: (tell: (text: string) => void) => Promise<string>;  // what to say when it is done
}

const titles = { scene: 'Scene', solutions: 'Solutions', map: 'Map', play: 'Play', fast: 'Fast dynamics', limit: 'Limit' } as const;

function need<T>(value: T | null): T {
  if (value === null) throw new Error('There is nothing to keep yet.');
  return value;
}

// A link for others on this machine or with their own program: the key of this one stays here.
function shareableLink(): string {
  return `${window.location.origin}${window.location.pathname}${toFragment(current(), '')}`;
}

// Where the browser keeps the clipboard back, the link is shown for copying by hand.
async function copyLink(): Promise<string> {
  const link = shareableLink();
  try {
    await navigator.clipboard.writeText(link);
  } catch {
    return link;
  }
  return 'Link copied, without the key of this page.';
}

function dataObject(hello: Hello, live: Live): object {
  const { scene, view } = current();
  const offered = [...offeredData()].map(([name, offer]) => [name, offer.object()] as const).filter(([, object]) => object !== null);
  return {
    program: hello.program, version: hello.version, view, scene, scenario: live.scene?.toml ?? null,
    analysis: live.reply?.analysis ?? null, ...Object.fromEntries(offered),
  };
}

// What was set on the scene, as people read it.
function settingsText(live: Live): string {
  return Object.entries(current().scene.set).map(([path, value]) => {
    const variable = live.scene?.variables.find((one) => one.path === path);
    return `${variable?.name ?? path} = ${variable && typeof value === 'number' ? formatWithUnit(value, variable.unit) : value}`;
  }).join(', ');
}

function pictureEntries(scene: string, hello: Hello, live: Live): Entry[] {
  const view = current().view;
  const given = settingsText(live);
  const caption = { title: `${scene}: ${offeredPicture()?.title() ?? titles[view]}`, lines: [...(given ? [given] : []), `painleve ${hello.version}`] };
  const entries: Entry[] = [{
    testid: 'export-picture',
    text: 'Picture (PNG)',
    run: async () => {
      download(fileName(scene, view, 'png'), need(await pictureFile(caption)));
      return 'Picture saved.';
    },
  }];
  if (!markedSvg()) return entries;
  return [...entries, {
    testid: 'export-svg',
    text: 'Drawing (SVG)',
    run: async () => {
      download(fileName(scene, view, 'svg'), need(await svgFile()));
      return 'Drawing saved.';
    },
  }];
}

function dataEntries(scene: string, hello: Hello, live: Live): Entry[] {
  const json: Entry = {
    testid: 'export-data',
    text: 'Data (JSON)',
    run: async () => {
      const text = JSON.stringify(dataObject(hello, live), null, 1);
      download(fileName(scene, current().view, 'json'), new Blob([text], { type: 'application/json' }));
      return 'Data saved.';
    },
  };
  const tables = [...offeredData()].filter(([, offer]) => offer.csv).map(([name, offer]): Entry => ({
    testid: `export-csv-${name}`,
    text: `Table of the ${name} (CSV)`,
    run: async () => {
      download(fileName(scene, name, 'csv'), new Blob([need(offer.csv?.() ?? null)], { type: 'text/csv' }));
      return 'Table saved.';
    },
  }));
  return [json, ...tables];
}

function entriesNow(hello: Hello, live: Live): Entry[] {
  const scene = live.scene?.name ?? current().scene.name ?? 'scene';
  return [
    ...pictureEntries(scene, hello, live),
    {
      testid: 'export-scenario',
      text: 'Scenario file (TOML)',
      run: async () => {
        download(fileName(scene, '', 'toml'), new Blob([need(live.scene?.toml ?? null)], { type: 'text/plain' }));
        return 'Scenario saved.';
      },
    },
    ...dataEntries(scene, hello, live),
    {
      testid: 'export-html',
      text: 'Report (self-contained HTML)',
      run: async (tell) => {
        const report = await reportFile(current().scene, current().play.t_end, (part) => tell(`Report: ${Math.round(100 * part)} %`));
        download(fileName(scene, 'report', 'html'), report);
        return 'Report saved.';
      },
    },
    { testid: 'export-link', text: 'Copy link to this state', run: copyLink },
  ];
}

// Arrow keys walk through the entries, Escape and leaving close.
function onMenuKey(event: KeyboardEvent, all: HTMLButtonElement[], close: () => void) {
  const at = all.indexOf(document.activeElement as HTMLButtonElement);
  if (event.key === 'Escape' || event.key === 'Tab') close();
  else if (event.key === 'ArrowDown') all[(at + 1) % all.length]?.focus();
  else if (event.key === 'ArrowUp') all[(at - 1 + all.length) % all.length]?.focus();
  else if (event.key === 'Home') all[0]?.focus();
  else if (event.key === 'End') all[all.length - 1]?.focus();
  else return;
  event.stopPropagation();
  if (event.key !== 'Tab') event.preventDefault();
}

function Menu(props: { entries: Entry[]; close: () => void; choose: (entry: Entry) => void }) {
  const menu = useRef<HTMLDivElement>(null);
  const [leftwards, setLeftwards] = useState(true);
  const items = () => [...(menu.current?.querySelectorAll('button') ?? [])];
  useLayoutEffect(() => {
    // In a header of two lines the button may stand at the left edge, with no room on that side.
    setLeftwards(menu.current!.parentElement!.getBoundingClientRect().right > menu.current!.offsetWidth + 8);
    items()[0]?.focus();
    const outside = (event: PointerEvent) => !menu.current?.parentElement?.contains(event.target as Node) && props.close();
    window.addEventListener('pointerdown', outside);
    return () => window.removeEventListener('pointerdown', outside);
  }, []);
  return (
    <div
      ref={menu}
      class={leftwards ? 'export-menu' : 'export-menu rightwards'}
      role="menu"
      aria-label="export"
      onKeyDown={(event) => onMenuKey(event, items(), props.close)}
    >
      {props.entries.map((entry) => (
        <button key={entry.testid} type="button" role="menuitem" tabIndex={-1} data-testid={entry.testid} onClick={() => props.choose(entry)}>
          {entry.text}
        </button>
      ))}
    </div>
  );
}

export function ExportMenu(props: { hello: Hello }) {
  useStore();
  const live = useLive();
  const [open, setOpen] = useState(false);
  const [said, setSaid] = useState('');
  const button = useRef<HTMLButtonElement>(null);
  const close = () => {
    setOpen(false);
    button.current?.focus();
  };
  const choose = (entry: Entry) => {
    close();
    if (live.error) return setSaid(`there is no such state to export: ${live.error}`);
    entry.run(setSaid).then(setSaid).catch((error: Error) => setSaid(error.message));
  };
  useEffect(() => {
    if (!said || said.endsWith('%')) return;
    const timer = window.setTimeout(() => setSaid(''), 6000);
    return () => window.clearTimeout(timer);
  }, [said]);
  return (
    <span class="export">
      <button ref={button} type="button" data-testid="export" aria-haspopup="menu" aria-expanded={open} onClick={() => setOpen(!open)}>
        Export
      </button>
      {open && <Menu entries={entriesNow(props.hello, live)} close={close} choose={choose} />}
      <span class="export-said" role="status" data-testid="export-said">{said}</span>
    </span>
  );
}
