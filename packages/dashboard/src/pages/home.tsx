/** Home: what needs attention first, then figures. */
import { Empty } from '@underpass/ui/states.tsx';

export default function Home() {
  return (
    <>
      <h1>Home</h1>
      <Empty title="No name is served yet." command="underpass http 3000">
        <p>
          <a href="/ui/resources">All resources</a>
        </p>
      </Empty>
    </>
  );
}
