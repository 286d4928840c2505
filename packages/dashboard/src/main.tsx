/** Starts the dashboard. */
import { followTheme } from '@underpass/ui/theme.ts';
import { render } from 'preact';
import { followChanges } from './data/changes.ts';
import { startSession } from './data/session.ts';
import { followStream } from './data/stream.ts';
import { followAddress } from './router.ts';
import { followKeys } from './shell/keys.ts';
import { Shell } from './shell/shell.tsx';

followTheme();
followAddress();
followKeys();
render(<Shell />, document.body);
await startSession();
followStream();
followChanges();
