/** All kinds of resources, in the groups of the reference. */
import { Failure, Loading } from '@underpass/ui/states.tsx';
import { loadReference, useReference } from '../api/reference.ts';
import { mayWrite } from '../api/session.ts';
import { kindNamed } from '../resources/kinds.ts';
import { href } from '../router.ts';

export default function Resources() {
  const { reference, error } = useReference();
  if (error !== null) return <Failure error={error} retry={() => void loadReference()} />;
  if (reference === null) return <Loading what="the kinds of resources" />;
  const kinds = Object.entries(reference.document['x-kinds']);
  return (
    <>
      <h1>Resources</h1>
      <div class="cards">
        {reference.groups.map(({ name, sections }) => {
          const shown = sections.flatMap((section) => {
            const found = kinds.find(([, { tag }]) => tag === section.name);
            const kind = found === undefined ? null : kindNamed(reference, found[0]);
            return kind === null || kind.list === null ? [] : [{ section, kind }];
          });
          if (shown.length === 0) return null;
          return (
            <section key={name} class="card">
              <h2>{name}</h2>
              <ul>
                {shown.map(({ section, kind }) => (
                  <li key={kind.name}>
                    <a href={href(['resources', kind.name])}>{section.name}</a>{' '}
                    {kind.create !== null && mayWrite() && (
                      <a
                        class="button small"
                        href={href(['resources', kind.name, 'new'])}
                        aria-label={`New: ${section.name}`}
                      >
                        New
                      </a>
                    )}
                  </li>
                ))}
              </ul>
            </section>
          );
        })}
      </div>
    </>
  );
}
