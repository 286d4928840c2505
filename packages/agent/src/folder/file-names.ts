/**
 * Names of files, by the rules of the system.
 * Invariant: a name of a request is the name of one file in its folder.
 */

/** Names of devices, with any ending, in every folder. */
const DEVICE = /^(con|prn|aux|nul|conin\$|conout\$|com[0-9¹²³]|lpt[0-9¹²³])[ .:]*(\.|$)/i;

/**
 * Returns false for names that mean another place, and for those that another system would take apart. Windows also
 * has names of devices, streams behind a colon, wildcards, and cuts dots and blanks at the end.
 */
export function isName(name: string, platform = process.platform): boolean {
  if (name === '' || name === '.' || name === '..' || /[/\\\p{Cc}]/u.test(name)) return false;
  return platform !== 'win32' || !(/[:<>"|?*]|[. ]$/.test(name) || DEVICE.test(name));
}
