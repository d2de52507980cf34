// Tests in a browser, against the program itself: scripts/web browser. Pictures for a look: scripts/web screenshots.
// One file after the other, because each runs a program and a browser that want the whole machine.
import { defineConfig } from 'vitest/config';

export default defineConfig(({ mode }) => ({
  test: {
    include: [mode === 'screenshots' ? 'browser/*.pictures.ts' : 'browser/*.test.ts'],
    fileParallelism: false,
    testTimeout: 60_000,
    hookTimeout: 60_000,
    expect: { poll: { timeout: 15_000, interval: 50 } },
  },
}));
