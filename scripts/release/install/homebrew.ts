/** Writes the Homebrew formula of a release, for a tap. */
import type { ListedFile, ReleaseList } from '../about.ts';

const SYSTEMS = [
  ['on_macos', 'darwin'],
  ['on_linux', 'linux'],
] as const;
const PROCESSORS = [
  ['on_arm', 'arm64'],
  ['on_intel', 'x64'],
] as const;

/** `folder`: address of the files of this release. Returns the text of `underpass.rb`. */
export function homebrewFormula(list: ReleaseList, folder: string): string {
  const systems = SYSTEMS.flatMap(([system, name]) => {
    const body = processors(list, folder, name);
    return body === '' ? [] : [block(system, body, 1)];
  });
  return `# Formula of Underpass ${list.version}, written by \`npm run release\`.
class Underpass < Formula
  desc "Tunnels and edges of a server of your own: the agent"
  homepage "${folder}"
  version "${list.version}"
  license "Apache-2.0"

${systems.join('\n\n')}

  def install
    bin.install "underpass"
  end

  test do
    assert_match version.to_s, shell_output("#{bin}/underpass --version")
  end
end
`;
}

function processors(list: ReleaseList, folder: string, system: string): string {
  return PROCESSORS.flatMap(([processor, name]) => {
    const found = executableOf(list, `${system}-${name}`);
    if (found === null) return [];
    const url = `      url "${folder}/${found.file}"\n      sha256 "${found.sha256}"`;
    return [block(processor, url, 2)];
  }).join('\n');
}

function block(name: string, body: string, depth: number): string {
  const indent = '  '.repeat(depth);
  return `${indent}${name} do\n${body}\n${indent}end`;
}

/** Returns the agent's archive for a platform; null: the release has none. */
export function executableOf({ files }: ReleaseList, platform: string): ListedFile | null {
  const isIt = (one: ListedFile) =>
    one.part === 'executables' && one.program === 'underpass' && one.platform === platform;
  return files.find(isIt) ?? null;
}
