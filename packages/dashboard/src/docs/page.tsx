/** The frame of the page: search, key, contents, and the sections of the reference. */
import { useSignal } from '@preact/signals';
import type { Operation, Section } from '@underpass/ui/form/openapi.ts';
import { Prose } from '@underpass/ui/form/prose.tsx';
import type { Reference } from '@underpass/ui/form/reference.ts';
import { isTaken } from '@underpass/ui/keys.ts';
import { useEffect, useRef } from 'preact/hooks';
import { apiKey } from './calls.ts';
import { OperationView } from './operation.tsx';

export function DocsPage({ reference }: { reference: Reference }) {
  const search = useSignal('');
  const isContents = useSignal(false);
  const field = useRef<HTMLInputElement>(null);
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      if (event.key !== '/' || isTaken(event)) return;
      event.preventDefault();
      field.current?.focus();
    };
    addEventListener('keydown', onKey);
    return () => removeEventListener('keydown', onKey);
  }, []);
  const words = search.value.toLowerCase().split(/\s+/).filter(Boolean);
  return (
    <>
      <header>
        <h1>
          Underpass <span>management API</span>
        </h1>
        <label class="search">
          Search
          <input
            ref={field}
            id="search"
            type="search"
            autocomplete="off"
            placeholder="Search, e.g. certificate"
            onInput={(event) => (search.value = event.currentTarget.value)}
          />
        </label>
        <label class="key">
          API key
          <input
            id="key"
            type="password"
            autocomplete="off"
            spellcheck={false}
            placeholder="API key, to try requests"
            onInput={(event) => (apiKey.value = event.currentTarget.value.trim())}
          />
        </label>
        <button
          id="contents"
          type="button"
          aria-expanded={isContents.value}
          aria-controls="nav"
          onClick={() => (isContents.value = !isContents.value)}
        >
          Contents
        </button>
      </header>
      <nav id="nav" aria-label="Contents" class={isContents.value ? 'open' : ''}>
        {reference.groups.map(({ name, sections }) => (
          <div key={name}>
            <p>{name}</p>
            <ul>
              {sections.map((section) => (
                <li key={section.name}>
                  <a href={`#${anchorOf(section.name)}`} onClick={() => (isContents.value = false)}>
                    {section.name}
                  </a>
                </li>
              ))}
            </ul>
          </div>
        ))}
      </nav>
      <main id="main">
        <Intro reference={reference} />
        {reference.groups.map(({ name, sections }) => (
          <section key={name} class="group" hidden={!sections.some((one) => isFound(one, words))}>
            <h2>{name}</h2>
            {sections.map((section) => (
              <SectionView key={section.name} {...{ reference, section, words }} />
            ))}
          </section>
        ))}
      </main>
    </>
  );
}

function Intro({ reference: { document } }: { reference: Reference }) {
  return (
    <>
      <p class="intro">
        <Prose text={document.info.description} />
      </p>
      <p class="intro">
        Served at <code>{document.servers[0]?.url ?? ''}</code>. For machines:{' '}
        <a href="/openapi.json">/openapi.json</a>.
      </p>
    </>
  );
}

interface SectionParts {
  readonly reference: Reference;
  readonly section: Section;
  readonly words: readonly string[];
}

function SectionView({ reference, section, words }: SectionParts) {
  const { name, description, operations } = section;
  return (
    <section class="kind" id={anchorOf(name)} hidden={!isFound(section, words)}>
      <h3>{name}</h3>
      <p>
        <Prose text={description} />
      </p>
      {operations.map((operation) => (
        <OperationRow
          key={operation.id}
          {...{ reference, operation }}
          isHidden={!has(operation, name, words)}
        />
      ))}
    </section>
  );
}

interface RowParts {
  readonly reference: Reference;
  readonly operation: Operation;
  readonly isHidden: boolean;
}

/** The operation is made anew each time that it is opened, with the ids that are known by then. */
function OperationRow({ reference, operation, isHidden }: RowParts) {
  const isOpen = useSignal(false);
  const { id, method, path, summary } = operation;
  return (
    <details
      class="row"
      id={id}
      hidden={isHidden}
      onToggle={(event) => {
        isOpen.value = event.currentTarget.open;
        if (isOpen.value) history.replaceState(null, '', `#${id}`);
      }}
    >
      <summary>
        <span class={`method ${method.toLowerCase()}`}>{method}</span>
        <span class="summary">{summary}</span>
        <code class="path">{path}</code>
      </summary>
      {isOpen.value && <OperationView {...{ reference, operation }} />}
    </details>
  );
}

function anchorOf(name: string): string {
  return name.toLowerCase().replaceAll(/[^a-z0-9]+/g, '-');
}

function isFound({ name, operations }: Section, words: readonly string[]): boolean {
  return operations.some((operation) => has(operation, name, words));
}

/** True if the operation has every word of the search. */
function has({ summary, path, id }: Operation, section: string, words: readonly string[]): boolean {
  const text = `${summary} ${path} ${id} ${section}`.toLowerCase();
  return words.every((word) => text.includes(word));
}
