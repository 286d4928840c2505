/** What an option of a bind that asks for a module is: the object that the agent sent in, the module's configuration out. */
import type { Settings } from '../../core/settings.ts';
import type { Reading } from './fields.ts';

export interface OptionContext {
  readonly settings: Pick<Settings, 'errorCodeHeader' | 'oauthClients'>;
  /** For fields of wrong types. */
  readonly reading: Reading;
}

export interface ModuleOption<Config> {
  /** As the protocol spells it. */
  readonly option: string;
  /** As binds of bytes spell it; those of a protocol that is not there do not have it. */
  readonly onBytes?: Readonly<Partial<Record<'tls' | 'tcp', string>>>;
  /** What the object may have; anything else in it that is not empty is refused. */
  readonly fields: readonly string[];
  /**
   * The object alone, empty as it is, asks for the module, be it to hear what is missing in it: so is each that keeps somebody out, since
   * an absent one is null. Any other that is empty, however deep, asks for nothing.
   */
  readonly asksByPresence?: true;
  /** Null: it asks for nothing. Raises Problem. */
  read(sent: object, context: OptionContext): Config | null;
}
