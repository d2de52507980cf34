// Names of exported files, from names that may come from anywhere: letters, digits and hyphens only, never empty, never
// one that a system reserves.
const reserved = /^(con|prn|aux|nul|com\d|lpt\d)$/i;

export function safeName(name: string): string {
  const plain = name
    .normalize('NFKD')
    .replace(/[\u0300-\u036f]/g, '')
    .replace(/\.(toml|txt)$/i, '')
    .replace(/[^A-Za-z0-9]+/g, '-')
    .replace(/^-+|-+$/g, '')
    .slice(0, 60)
    .replace(/-+$/, '');
  if (plain === '') return 'scene';
  return reserved.test(plain) ? `scene-${plain}` : plain;
}

export function fileName(scene: string, what: string, extension: string): string {
  return [safeName(scene), what && safeName(what)].filter(Boolean).join('-') + '.' + extension;
}
