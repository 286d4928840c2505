/**
 * A table that draws only the rows in sight, so that ten thousand rows are as fast as ten.
 * Guarantees: the row with the focus stays focused while rows arrive, leave or scroll, and rows that arrive above those in sight
 * do not move them.
 */
import { useSignal } from '@preact/signals';
import type { ComponentChildren } from 'preact';
import { useLayoutEffect, useRef } from 'preact/hooks';
import { isTaken, neighbour, stepOf } from './keys.ts';
import { rangeOf, topFor, type View } from './window.ts';

export interface Column<T> {
  readonly name: string;
  /** A share of the width, such as `2fr` or `6em`. */
  readonly width: string;
  readonly cell: (row: T) => ComponentChildren;
  readonly align?: 'end';
  /** True if narrow screens leave it out. */
  readonly isWide?: boolean;
}

interface TableParts<T> {
  /** Name for screen readers. */
  readonly label: string;
  readonly columns: readonly Column<T>[];
  readonly rows: readonly T[];
  readonly keyOf: (row: T) => string;
  /** Address of a row's page; absent: rows lead nowhere. */
  readonly hrefOf?: (row: T) => string;
  /** Called when the user scrolls near the end. */
  readonly more?: (() => void) | undefined;
  /** Called when a user starts or stops reading: scrolled away from the top, or a row has the focus. */
  readonly reading?: (isReading: boolean) => void;
  /** Called with the rows that are drawn, `to` exclusive, when they become others. */
  readonly sight?: (from: number, to: number) => void;
}

/** Pixels. The stylesheet has the same height. */
const ROW = 36;

export function Table<T>({ label, columns, rows, keyOf, hrefOf, more, reading, sight }: TableParts<T>) {
  const scroller = useRef<HTMLTableSectionElement>(null);
  const view = useSignal<View>({ top: 0, height: 800 });
  const focused = useSignal<string | null>(null);
  const latest = useRef(rows);
  latest.current = rows;
  /** The first row in sight. */
  const anchor = useRef<{ readonly key: string; readonly index: number } | null>(null);
  const measure = () => {
    const element = scroller.current;
    if (element === null) return;
    view.value = { top: element.scrollTop, height: element.clientHeight };
    const index = Math.floor(element.scrollTop / ROW);
    const row = latest.current[index];
    anchor.current = row === undefined ? null : { key: keyOf(row), index };
    if (element.scrollTop > ROW) reading?.(true);
  };
  useLayoutEffect(() => {
    measure();
    const observer = new ResizeObserver(measure);
    if (scroller.current !== null) observer.observe(scroller.current);
    return () => observer.disconnect();
  }, []);
  useLayoutEffect(() => {
    const { current: element } = scroller;
    const { current: held } = anchor;
    if (element === null || held === null || element.scrollTop < ROW) return;
    const index = rows.findIndex((row) => keyOf(row) === held.key);
    if (index >= 0 && index !== held.index) element.scrollTop += (index - held.index) * ROW;
    measure();
  }, [rows]);
  const { from, to } = rangeOf(rows.length, ROW, view.value);
  useLayoutEffect(() => {
    if (more !== undefined && to >= rows.length) more();
  }, [to, rows.length, more === undefined]);
  useLayoutEffect(() => sight?.(from, to), [from, to, rows]);
  const drawn = rows.slice(from, to);
  const kept = rows.findIndex((row) => keyOf(row) === focused.value);
  const isOutside = kept >= 0 && (kept < from || kept >= to);
  const indices = drawn.map((_, at) => from + at);
  if (isOutside) indices.push(kept);
  const move = (event: KeyboardEvent) => {
    const step = stepOf(event.key);
    if (step === null || isTaken(event)) return;
    event.preventDefault();
    event.stopPropagation();
    const next = neighbour(rows.map(keyOf), focused.value, step);
    if (next === undefined || scroller.current === null) return;
    scroller.current.scrollTop = topFor(
      rows.findIndex((row) => keyOf(row) === next),
      ROW,
      view.value,
    );
    focused.value = next;
    measure();
    requestAnimationFrame(() => focusRow(scroller.current, next));
  };
  const template = templateOf(columns);
  return (
    <table class="table" aria-label={label} aria-rowcount={rows.length + 1}>
      <thead>
        <tr class="table-row table-head" style={template}>
          {columns.map(({ name, align, isWide }) => (
            <th key={name} scope="col" class={cellClass(align, isWide)}>
              {name}
            </th>
          ))}
        </tr>
      </thead>
      <tbody
        class="table-body"
        style={{ '--space': `${rows.length * ROW}px` }}
        ref={scroller}
        onScroll={measure}
        onKeyDown={move}
        onFocusIn={(event) => {
          focused.value = keyOfFocus(event.target);
          reading?.(true);
        }}
      >
        {indices.map((index) => {
          const row = rows[index] as T;
          const key = keyOf(row);
          const isEntry = focused.value === null ? index === 0 : focused.value === key;
          return (
            <Row key={key} {...{ index, columns, row, template, isEntry }} id={key} href={hrefOf?.(row)} />
          );
        })}
      </tbody>
    </table>
  );
}

interface RowParts<T> {
  readonly index: number;
  readonly columns: readonly Column<T>[];
  readonly row: T;
  readonly template: Template;
  readonly id: string;
  readonly href: string | undefined;
  /** True for the row that the Tab key reaches. */
  readonly isEntry: boolean;
}

function Row<T>({ index, columns, row, template, id, href, isEntry }: RowParts<T>) {
  const style = { ...template, transform: `translateY(${index * ROW}px)` };
  return (
    <tr class="table-row" aria-rowindex={index + 2} data-row={id} style={style}>
      {columns.map(({ name, cell, align, isWide }, at) => (
        <td key={name} class={cellClass(align, isWide)}>
          {at === 0 && href !== undefined ? (
            <a href={href} class="row-link" tabIndex={isEntry ? 0 : -1}>
              {cell(row)}
            </a>
          ) : (
            cell(row)
          )}
        </td>
      ))}
    </tr>
  );
}

type Template = ReturnType<typeof templateOf>;

/** The widths of the columns. Narrow screens leave room for theirs alone. */
function templateOf(columns: readonly Pick<Column<never>, 'width' | 'isWide'>[]) {
  const widths = (of: typeof columns) => of.map(({ width }) => width).join(' ');
  return {
    '--columns': widths(columns),
    '--narrow-columns': widths(columns.filter(({ isWide }) => isWide !== true)),
  };
}

function cellClass(align: 'end' | undefined, isWide: boolean | undefined): string {
  return `${align === 'end' ? 'end' : ''} ${isWide === true ? 'wide-only' : ''}`.trim();
}

function keyOfFocus(target: EventTarget | null): string | null {
  const row = target instanceof Element ? target.closest<HTMLElement>('[data-row]') : null;
  return row?.dataset.row ?? null;
}

function focusRow(scroller: HTMLElement | null, key: string): void {
  const row = scroller?.querySelector<HTMLElement>(`[data-row="${CSS.escape(key)}"]`);
  row?.querySelector<HTMLElement>('a, button')?.focus({ preventScroll: true });
}
