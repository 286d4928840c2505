/**
 * The modules that change headers of requests and responses. Fields are removed first.
 * Invariant: values have a limit whatever a visitor sends, and the field that detects loops is kept.
 */
import { parseTemplate } from '../../core/modules/header-template.ts';
import type { HeadersModule } from '../../documents/index.ts';
import { schemeOf } from '../sites/facts.ts';
import type { AnswerFacts, HeadEdit, RequestFacts } from '../sites/site.ts';
import { decoded, type Variable, variables } from './header-variables.ts';
import type { EdgeModule } from './module.ts';
import { type HostChange, returnedLocation, toldOrigin } from './returned-location.ts';

/** Characters of a value once its names are filled in: one of 4,096 could name the whole target a hundred times. */
const maxValueLength = 8192;
/** The field that detects loops. Without it, a request could loop for ever (RFC 8586, section 2). */
const loopMark = 'cdn-loop';
const nothing: ReadonlySet<string> = new Set();

export const requestHeaders: EdgeModule<HeadersModule> = {
  compile({ add, remove }) {
    // A request has one Host: another one takes its place.
    if (add.host !== undefined) {
      const requestEdits = [originsTo(add.host), headEdit(add, [...remove, 'host'])];
      return { requestEdits, responseEdits: [backFrom(add.host)] };
    }
    return { requestEdits: [headEdit(add, remove)] };
  },
};

export const responseHeaders: EdgeModule<HeadersModule> = {
  compile: ({ add, remove }) => ({ responseEdits: [headEdit(add, remove)] }),
};

/** An upstream that knows itself by another name sends its visitors there. */
function backFrom(host: string): HeadEdit {
  const told = compileValue(host);
  return {
    remove: nothing,
    readsRequest: true,
    add: () => [],
    replace(request, answer) {
      const location = answer.isOwn ? '' : answer.field('location');
      if (location === '') return [];
      const returned = returnedLocation(decoded(location), hostChange(told, request));
      return returned === null ? [] : [['Location', returned]];
    },
  };
}

/** Upstreams that compare Origin or Referer with Host, as protection against forged requests does, get both of one name. */
function originsTo(host: string): HeadEdit {
  const told = compileValue(host);
  return {
    remove: new Set(ORIGINS.map((name) => name.toLowerCase())),
    readsRequest: true,
    add(request) {
      const change = hostChange(told, request);
      return ORIGINS.flatMap((name) =>
        request.values(name.toLowerCase()).map((bytes) => {
          const value = decoded(bytes);
          return [name, toldOrigin(value, change) ?? value] as const;
        }),
      );
    },
  };
}

const ORIGINS = ['Origin', 'Referer'];

function hostChange(told: Value, request: RequestFacts): HostChange {
  return {
    told: told.of(request, null),
    asked: decoded(request.values('host')[0] ?? ''),
    scheme: schemeOf(request.connection),
  };
}

function headEdit(add: HeadersModule['add'], remove: readonly string[]): HeadEdit {
  const values = Object.entries(add).map(([name, value]) => [name, compileValue(value)] as const);
  return {
    remove: new Set(remove.filter((name) => name !== loopMark)),
    readsRequest: values.some(([, { parts }]) => parts.some((part) => 'of' in part && part.readsRequest)),
    add: (request, answer) => values.map(([name, value]) => [name, value.of(request, answer)]),
  };
}

type Part = { readonly text: string } | Variable;

interface Value {
  readonly parts: readonly Part[];
  of(request: RequestFacts, answer: AnswerFacts | null): string;
}

/** The API refuses unknown variables. In documents of other versions they are empty. */
function compileValue(value: string): Value {
  const template = parseTemplate(value) ?? [{ text: value }];
  const parts = template.flatMap((part) => ('text' in part ? part : (variables.get(part.name) ?? [])));
  return {
    parts,
    of(request, answer) {
      let text = '';
      for (const part of parts) text += 'text' in part ? part.text : part.of(request, answer);
      return text.length > maxValueLength ? text.slice(0, maxValueLength) : text;
    },
  };
}
