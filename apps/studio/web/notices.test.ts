import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { noticesText, packageFolder } from './notices.ts';

const root = fileURLToPath(new URL('.', import.meta.url));

test('a module belongs to the innermost package of its path', () => {
  expect(packageFolder(root, '/a/node_modules/three/build/three.module.js')).toBe('/a/node_modules/three');
  expect(packageFolder(root, '/a/node_modules/@scope/part/index.js?used')).toBe('/a/node_modules/@scope/part');
  expect(packageFolder(root, '/a/node_modules/outer/node_modules/inner/x.js')).toBe('/a/node_modules/outer/node_modules/inner');
  expect(packageFolder(root, '/a/src/main.tsx')).toBeNull();
});

test('code that the build tools put in belongs to them', () => {
  expect(packageFolder('/a', '\0rolldown/runtime.js')).toBe('/a/node_modules/rolldown');
  expect(packageFolder('/a', '\0vite/preload-helper.js')).toBe('/a/node_modules/vite');
});

test('every package is named once, with version, licence and copyright', () => {
  const text = noticesText(root, [`${root}node_modules/uplot/a.js`, `${root}node_modules/preact/b.js`, `${root}node_modules/uplot/c.js`]);
  expect(text.match(/^uplot \d+\.\d+\.\d+ \(MIT\)$/gm)).toHaveLength(1);
  expect(text.match(/^preact \d+\.\d+\.\d+ \(MIT\)$/gm)).toHaveLength(1);
  expect(text.indexOf('preact ')).toBeLessThan(text.indexOf('uplot '));
  expect(text).toContain('Jason Miller');
  expect(text).not.toContain('KaTeX');
});

test('formulas bring the licence of their fonts', () => {
  const text = noticesText(root, [`${root}node_modules/katex/dist/katex.mjs`]);
  expect(text).toContain('SIL OPEN FONT LICENSE');
  expect(text).toContain('Khan Academy');
});

test('a package whose licence is not there stops the build', () => {
  expect(() => noticesText(root, [`${root}node_modules/.bin/anything.js`])).toThrow();
});
