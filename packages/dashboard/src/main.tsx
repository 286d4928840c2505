/** Starts the dashboard. */
import { followTheme } from '@underpass/ui/theme.ts';
import { render } from 'preact';
import { followChanges } from './api/changes.ts';
import { startSession } from './api/session.ts';
import { followStream } from './api/stream.ts';
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
