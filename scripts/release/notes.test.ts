import assert from 'node:assert/strict';
import { test } from 'node:test';
import { notesOf } from './notes.ts';

const CHANGELOG = `# Changelog

## Unreleased

- later

## 1.2.3 (2026-11-28)

### Added

- one

## [1.2.2]

## 1.2.1

- old
`;

test('the notes of a version are its section', () => {
  assert.equal(notesOf(CHANGELOG, '1.2.3'), '### Added\n\n- one\n');
  assert.equal(notesOf(CHANGELOG, '1.2.1'), '- old\n');
});

test('a version without a section is refused', () => {
  assert.throws(() => notesOf(CHANGELOG, '1.2.4'), /no section "## 1.2.4"/);
  assert.throws(() => notesOf(CHANGELOG, '1.2.2'), /is empty/);
  assert.throws(() => notesOf(CHANGELOG, '1.2'), /no section "## 1.2"/);
});
