import assert from 'node:assert/strict';
import { test } from 'node:test';
import { brotliCompressSync } from 'node:zlib';
import { bundlePages } from './bundle.ts';

const FIRST_MAX = 60_000;

test('the script of the first page is at most 60 kB compressed, and no page names another host', async () => {
  const { files, first } = await bundlePages();
  for (const scripts of Object.values(first)) {
    assert.ok(scripts.length > 1);
    const bytes = scripts.reduce((sum, name) => sum + brotliCompressSync(files.get(name)!).length, 0);
    assert.ok(bytes <= FIRST_MAX, `${bytes} bytes`);
  }
  for (const [name, content] of files) {
    if (!name.endsWith('.html')) continue;
    const html = content.toString();
    assert.doesNotMatch(html, /(?:src|href)="(?:https?:)?\/\/|style=|<style|<script>/, name);
  }
});
