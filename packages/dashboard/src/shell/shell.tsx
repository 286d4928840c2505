/** The frame of every page: navigation, search, state of the connection, dialogs and the page itself. */
import { Announcements } from '@underpass/ui/announce.tsx';
import { attempt } from '@underpass/ui/attempt.ts';
import { CopyStatus } from '@underpass/ui/copy.tsx';
import { ProblemLine } from '@underpass/ui/problem.tsx';
import { Loading } from '@underpass/ui/states.tsx';
import { nextTheme, theme } from '@underpass/ui/theme.ts';
import { useEffect, useRef } from 'preact/hooks';
import { session, signOut } from '../api/session.ts';
import { connection } from '../api/stream.ts';
import { SignIn } from '../pages/sign-in.tsx';
import { path } from '../router.ts';
import { ENTRIES } from '../routes.ts';
import { currentRoute } from './current.ts';
import { Help } from './help.tsx';
import { dialog } from './keys.ts';
import { PageView } from './page-view.tsx';
import { Palette } from './palette.tsx';

export function Shell() {
  if (session.value === 'unknown') return <Loading what="your session" />;
  if (session.value === null) return <SignIn />;
  return (
    <>
      <a class="skip" href="#main">
        Skip to the page
      </a>
      <header class="top">
        <a class="brand" href="/ui/">
          Underpass
        </a>
        <Search />
        <Connection />
        <Account />
      </header>
      <Navigation />
      <ProblemLine />
      <main id="main" tabIndex={-1}>
        <PageView />
      </main>
      {dialog.value === 'palette' && <Palette />}
      {dialog.value === 'help' && <Help />}
      <Announcements />
      <CopyStatus />
    </>
  );
}

function Navigation() {
  const entry = currentRoute.value?.route.entry ?? path.value;
  const element = useRef<HTMLElement>(null);
  // Narrow screens scroll the entries.
  useEffect(() => {
    const current = element.current?.querySelector('[aria-current=page]');
    current?.scrollIntoView({ block: 'nearest', inline: 'nearest' });
  }, [entry]);
  return (
    <nav class="entries" aria-label="Pages" ref={element}>
      {ENTRIES.map(([to, title]) => (
        <a key={to} href={`/ui/${to}`} aria-current={to === entry ? 'page' : undefined}>
          {title}
        </a>
      ))}
    </nav>
  );
}

function Search() {
  return (
    <button type="button" class="search" onClick={() => (dialog.value = 'palette')}>
      Search names, ids, addresses <kbd>Ctrl K</kbd>
    </button>
  );
}

const STATES = {
  live: ['s2', '● live'],
  connecting: ['s4', '◌ connecting'],
  off: ['', '○ not live'],
} as const;

function Connection() {
  const [kind, text] = STATES[connection.value];
  return <span class={`status ${kind}`}>{text}</span>;
}

function Account() {
  const { value } = session;
  const name =
    value === null || value === 'unknown' ? '' : [value.account, value.user].filter(Boolean).join(' · ');
  return (
    <div class="actions">
      {name !== '' && <span class="remark">{name}</span>}
      <button type="button" onClick={nextTheme} aria-label={`Theme: ${theme.value}`} title="Theme">
        {theme.value === 'system' ? '◐' : theme.value === 'light' ? '☀' : '☾'}
      </button>
      <button type="button" onClick={() => (dialog.value = 'help')} aria-label="Keys" title="Keys">
        ?
      </button>
      <button type="button" onClick={() => void attempt(signOut)}>
        Sign out
      </button>
    </div>
  );
}
