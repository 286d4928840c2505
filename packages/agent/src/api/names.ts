/** `tlsEdges` as `tls-edges`. */
export function kebab(name: string): string {
  return name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
}

/** The flag of a field, without its hyphens: `backend_id` is `--backend-id`. */
export function flagOf(field: string): string {
  return field.replaceAll('_', '-');
}

/** The property that the option parser puts the flag of a field into. */
export function attributeOf(field: string): string {
  return field.replace(/_+(\w)/g, (_, letter: string) => letter.toUpperCase());
}
