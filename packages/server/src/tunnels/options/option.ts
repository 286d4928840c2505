/** Definition of an option that requests a module: the agent's object in, the module's configuration out. */
import type { Settings } from '../../core/settings.ts';
import type { Reading } from './fields.ts';

export interface OptionContext {
  readonly settings: Pick<Settings, 'errorCodeHeader' | 'oauthClients'>;
  /** Reports fields of wrong types. */
  readonly reading: Reading;
}

export interface ModuleOption<Config> {
  /** Name in the protocol's spelling. */
  readonly option: string;
  /** Names in binds of bytes. A protocol that is absent does not have the option. */
  readonly onBytes?: Readonly<Partial<Record<'tls' | 'tcp', string>>>;
  /** Fields of the object. Others are refused unless they are empty. */
  readonly fields: readonly string[];
  /**
   * The object alone requests the module, even if it is empty, and its missing fields are then errors. So does each
   * option that keeps visitors out, because an absent one is null. Other options that are empty at any depth request
   * nothing.
   */
  readonly asksByPresence?: true;
  /** Returns null if nothing is requested. Raises Problem. */
  read(sent: object, context: OptionContext): Config | null;
}
