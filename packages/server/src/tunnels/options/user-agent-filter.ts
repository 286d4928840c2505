/** The option `UserAgentFilter`: `{"allow": [regex], "deny": [regex]}`. */
import { compileUserAgentFilter, maxFilterSize } from '../../core/modules/user-agents.ts';
import type { UserAgentFilterModule } from '../../documents/index.ts';
import { Problem } from '../../errors/problem.ts';
import { shown, textListField } from './fields.ts';
import type { ModuleOption } from './option.ts';

const maxPatterns = 50;

export const userAgentFilterOption: ModuleOption<UserAgentFilterModule> = {
  option: 'UserAgentFilter',
  asksByPresence: true,
  fields: ['allow', 'deny'],
  read(sent, { reading }) {
    const allow = textListField(sent, 'allow', reading);
    const deny = textListField(sent, 'deny', reading);
    for (const [field, { length: actual }] of Object.entries({ allow, deny })) {
      if (actual > maxPatterns)
        throw new Problem('userAgentPatternCount', { field, actual, limit: maxPatterns });
    }
    const compiled = compileUserAgentFilter({ allow, deny });
    if ('serves' in compiled) return { enabled: true, allow, deny };
    const { list, index, reason } = compiled;
    if (reason === null) {
      throw new Problem('userAgentPatternsLarge', { field: `${list}/${index}`, limit: maxFilterSize });
    }
    const value = shown({ allow, deny }[list][index] ?? '');
    throw new Problem('userAgentPatternInvalid', { value, reason });
  },
};
