import assert from 'node:assert/strict';
import { test } from 'node:test';
import { brotliCompressSync } from 'node:zlib';
import { bundlePages } from './bundle.ts';

const FIRST_MAX = 60_000;
const CHART_MAX = 25_000;

test('the script of the first page is at most 60 kB compressed, a chart 25 kB more, and no page names another host', async () => {
  const { files, first, chart } = await bundlePages();
  const sizeOf = (scripts: readonly string[]) =>
    scripts.reduce((sum, name) => sum + brotliCompressSync(files.get(name)!).length, 0);
  assert.ok(chart.length > 0);
  assert.ok(sizeOf(chart) <= CHART_MAX, `${sizeOf(chart)} bytes`);
  for (const scripts of Object.values(first)) {
    assert.ok(scripts.length > 1);
    assert.ok(sizeOf(scripts) <= FIRST_MAX, `${sizeOf(scripts)} bytes`);
  }
  for (const [name, content] of files) {
    if (!name.endsWith('.html')) continue;
    const html = content.toString();
    assert.doesNotMatch(html, /(?:src|href)="(?:https?:)?\/\/|style=|<style|<script>/, name);
  }
});
