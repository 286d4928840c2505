/** Loads the page of the address, and shows it. */

import { useSignal } from '@preact/signals';
import { announce } from '@underpass/ui/announce.tsx';
import { Empty, Failure, Loading } from '@underpass/ui/states.tsx';
import { useEffect } from 'preact/hooks';
import type { Page } from '../page.ts';
import type { Route } from '../routes.ts';
import { currentRoute } from './current.ts';

interface Loaded {
  readonly route: Route;
  readonly Page: Page;
}

export function PageView() {
  const current = currentRoute.value;
  const route = current?.route;
  const loaded = useSignal<Loaded | null>(null);
  const fault = useSignal(false);
  useEffect(() => {
    document.title = `${route?.title ?? 'No such page'} · Underpass`;
    if (route === undefined) return;
    announce(route.title);
    fault.value = false;
    let isGone = false;
    const load = async () => {
      try {
        const { default: Page } = await route.load();
        if (!isGone) loaded.value = { route, Page };
      } catch {
        fault.value = true;
      }
    };
    void load();
    return () => {
      isGone = true;
    };
  }, [route]);
  if (current === null)
    return (
      <Empty title="There is no page at this address.">
        <a href="/ui/">Home</a>
      </Empty>
    );
  if (fault.value) return <Failure error={OUTDATED} retry={() => location.reload()} />;
  if (loaded.value === null || loaded.value.route !== route) return <Loading what={current.route.title} />;
  const { Page } = loaded.value;
  return <Page params={current.params} title={current.route.title} />;
}

/** Assets change with each version of the service. */
const OUTDATED = { message: 'This part of the page cannot be loaded. The service may have a new version.' };
