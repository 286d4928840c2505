/**
 * Reads the fields of an RPC: names in any case, absent or null as empty, a wrong JSON type refused with the field's name.
 * Agent protocol, section 3.
 */
import { field } from '@underpass/wire';
import { Problem } from '../../errors/problem.ts';

/** The condition that a malformed request raises, and the request's name in its text. */
export interface Reading {
  readonly code: 'authRequestMalformed' | 'bindRequestMalformed';
  readonly request: string;
}

export function malformed(reading: Reading, reason: string): Problem {
  return new Problem(reading.code, { request: reading.request, reason });
}

/** An object of fields, or null when absent. */
export function objectField(object: unknown, name: string, reading: Reading): object | null {
  const value = field(object, name) ?? null;
  if (value !== null && !isObject(value)) throw malformed(reading, `${name} must be an object`);
  return value;
}

export function textField(object: unknown, name: string, reading: Reading): string {
  const value = field(object, name) ?? '';
  if (typeof value !== 'string') throw malformed(reading, `${name} must be a string`);
  return value;
}

/** A text of which the absence means something. */
export function textOrNull(object: unknown, name: string, reading: Reading): string | null {
  return (field(object, name) ?? null) === null ? null : textField(object, name, reading);
}

/** Null when absent. */
export function switchField(object: unknown, name: string, reading: Reading): boolean | null {
  const value = field(object, name) ?? null;
  if (value !== null && typeof value !== 'boolean') throw malformed(reading, `${name} must be true or false`);
  return value;
}

/** A whole number; 0 when absent. */
export function integerField(object: unknown, name: string, reading: Reading): number {
  const value = field(object, name) ?? 0;
  if (typeof value !== 'number' || !Number.isInteger(value)) {
    throw malformed(reading, `${name} must be a whole number`);
  }
  return value;
}

/** 0 when absent. */
export function numberField(object: unknown, name: string, reading: Reading): number {
  const value = field(object, name) ?? 0;
  if (typeof value !== 'number') throw malformed(reading, `${name} must be a number`);
  return value;
}

export function textListField(object: unknown, name: string, reading: Reading): readonly string[] {
  const value = field(object, name) ?? [];
  if (!Array.isArray(value) || !value.every((item) => typeof item === 'string')) {
    throw malformed(reading, `${name} must be a list of strings`);
  }
  return value;
}

export function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Nothing, however deep: what agents send for an option that was not set. */
export function isEmpty(value: unknown): boolean {
  if (Array.isArray(value)) return value.every(isEmpty);
  if (isObject(value)) return Object.values(value).every(isEmpty);
  return value === null || value === undefined || value === false || value === '' || value === 0;
}

/** A text of the user's in a message: printable, in one line and short, whatever was sent. */
export function shown(text: string): string {
  const printable = text.replace(/[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]/gu, '?');
  return printable.length > 120 ? `${printable.slice(0, 120)}…` : printable;
}
