// The bundle is committed and embedded in the program: plain names, no hashes, nothing that changes from build to build.
import type { Plugin } from 'vite';
import { defineConfig } from 'vitest/config';
import { thirdPartyNotices } from './notices.ts';

// KaTeX offers each font in three formats; every browser that runs the page reads the smallest.
function smallestFonts(): Plugin {
  return {
    name: 'smallest-fonts',
    enforce: 'pre',
    transform(code, id) {
      if (!/\/katex\/dist\/katex(\.min)?\.css/.test(id)) return null;
      return code.replace(/,\s*url\([^)]*\)\s*format\(["']?(?:woff|truetype)["']?\)/g, '');
    },
  };
}

export default defineConfig({
  base: './',
  plugins: [smallestFonts(), thirdPartyNotices()],
  oxc: { jsx: { runtime: 'automatic', importSource: 'preact' } },
  // `PAINLEVE_STUDIO=http://127.0.0.1:PORT npx vite` shows the sources while they are edited, with the answers of a
  // `painleve studio --port PORT` that runs beside it; the fragment of its address goes behind vite's.
  server: { proxy: { '/api': { target: process.env['PAINLEVE_STUDIO'] ?? 'http://127.0.0.1:8080' } } },
  build: {
    target: 'es2022',
    outDir: 'dist',
    emptyOutDir: true,
    assetsInlineLimit: 0,  // the content security policy allows fonts from this server only
    modulePreload: false,
    cssCodeSplit: false,
    chunkSizeWarningLimit: 4000,
    rollupOptions: {
      output: {
        entryFileNames: 'app.js',
        chunkFileNames: '[name].js',
        assetFileNames: (asset) => (asset.names.some((name) => name.endsWith('.css')) ? 'app.css' : 'fonts/[name][extname]'),
      },
    },
  },
  test: { include: ['src/**/*.test.{ts,tsx}', '*.test.ts'] },  // those in browser/ have a configuration of their own
});
