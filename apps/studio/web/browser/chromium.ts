// Debian's chromium as the tests and measurements start it: headless, WebGL in software, silent on the network.
import { chromium, type Browser } from 'playwright-core';

const usual = [
  '--no-sandbox',
  '--disable-gpu',
  '--use-gl=angle',
  '--use-angle=swiftshader',
  '--enable-unsafe-swiftshader',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  '--disable-quic',
  '--no-first-run',
];

export function startChromium(more: string[] = []): Promise<Browser> {
  return chromium.launch({
    executablePath: process.env['PAINLEVE_CHROMIUM'] ?? '/usr/bin/chromium',
    args: [...usual, ...more],
    headless: true,
  });
}
