/** Groups of resource kinds for readers, in the order of the reference. */
export const groups = [
  'Backends',
  'Edges',
  'Names and addresses',
  'Online now',
  'Keys and credentials',
  'Access by address',
  'TLS certificates',
  'SSH certificates',
  'Events',
  'Users',
  'Traffic and status',
  'Console',
] as const;

export type Group = (typeof groups)[number];
