// Third-party notices: the licence of every package that the build put into the page, in one text file beside it.
// Read off the modules of the build itself, so that a package cannot be bundled and forgotten.
import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import type { Plugin } from 'vite';

const rule = '-'.repeat(80);

// The folder of the package that a module belongs to: the innermost of its path, or the tool that wrote it. null: ours.
export function packageFolder(root: string, module: string): string | null {
  if (module.startsWith('\0rolldown')) return join(root, 'node_modules', 'rolldown');
  if (module.startsWith('\0vite')) return join(root, 'node_modules', 'vite');
  return /^.*\/node_modules\/(?:@[^/]+\/)?[^/?]+/.exec(module)?.[0] ?? null;
}

function licenceText(folder: string): string {
  const licence = readdirSync(folder).find((entry) => /^licen[cs]e(\.(md|txt))?$/i.test(entry));
  if (licence === undefined) throw new Error(`${folder} holds no licence text: its notice must be written by hand`);
  const text = readFileSync(join(folder, licence), 'utf8').replace(/\r\n/g, '\n');
  // vite lists the licences of its own parts behind its own; none of those parts is in the page.
  return text.split('\n# Licenses of bundled dependencies')[0]!.trim();
}

function notice(folder: string): string {
  const about = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as { name: string; version: string; license: string };
  return `${about.name} ${about.version} (${about.license})\n\n${licenceText(folder)}`;
}

export function noticesText(root: string, modules: Iterable<string>): string {
  const folders = new Set<string>();
  for (const module of modules) {
    const folder = packageFolder(root, module);
    if (folder !== null) folders.add(folder);
  }
  const texts = [...folders].map(notice).sort();
  if (texts.some((text) => text.startsWith('katex '))) {
    texts.push(`KaTeX fonts (OFL-1.1)\n\n${readFileSync(join(root, 'notices.fonts.txt'), 'utf8').trim()}`);
  }
  const head = 'The page of the Painlevé studio contains the following software and fonts of others, with thanks.';
  return `${[head, ...texts].join(`\n\n${rule}\n`)}\n`;
}

export function thirdPartyNotices(): Plugin {
  let root = '';
  return {
    name: 'third-party-notices',
    apply: 'build',
    configResolved(config) {
      root = config.root;
    },
    generateBundle() {
      this.emitFile({ type: 'asset', fileName: 'third-party-notices.txt', source: noticesText(root, this.getModuleIds()) });
    },
  };
}
