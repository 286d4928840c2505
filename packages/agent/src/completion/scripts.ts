/**
 * Scripts of each shell that call `underpass complete` for the next word, with the previous words after `--`. The
 * output has a word a line, with its description after a tab, or `:files` alone.
 */

export const shells = ['bash', 'zsh', 'fish'] as const;
export type Shell = (typeof shells)[number];

export const scripts: Readonly<Record<Shell, string>> = {
  bash: `# source <(underpass completion bash)
_underpass() {
  local IFS=$'\\n' answers
  mapfile -t answers < <(underpass complete -- "\${COMP_WORDS[@]:1:COMP_CWORD}" 2>/dev/null)
  if [[ "\${answers[0]}" == :files ]]; then
    compopt -o filenames 2>/dev/null
    COMPREPLY=($(compgen -f -- "\${COMP_WORDS[COMP_CWORD]}"))
  else
    COMPREPLY=("\${answers[@]%%$'\\t'*}")
  fi
}
complete -F _underpass underpass
`,
  zsh: `#compdef underpass
# source <(underpass completion zsh)
_underpass() {
  local -a answers
  answers=("\${(@f)$(underpass complete -- "\${(@)words[2,CURRENT]}" 2>/dev/null)}")
  if [[ $answers[1] == :files ]]; then
    _files
  else
    compadd -- \${answers%%$'\\t'*}
  fi
}
compdef _underpass underpass
`,
  fish: `# underpass completion fish | source
function __underpass
  set -l answers (underpass complete -- (commandline -opc)[2..] (commandline -ct) 2>/dev/null)
  if test "$answers[1]" = :files
    __fish_complete_path (commandline -ct)
  else
    printf '%s\\n' $answers
  end
end
complete -c underpass -f -a '(__underpass)'
`,
};
