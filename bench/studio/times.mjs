// Nearest rank, so that a percentile is a time that occurred.
export function summary(times) {
  const sorted = [...times].sort((a, b) => a - b);
  const rank = (part) => sorted[Math.max(0, Math.ceil(part * sorted.length) - 1)];
  return { count: sorted.length, p50: rank(0.5), p95: rank(0.95), max: sorted.at(-1) };
}
