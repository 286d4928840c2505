// What `npm pack` and `npm publish` run in a package of the checkout. Plain JavaScript, for the Node that npm has.
console.error(
  'Sources cannot be installed. Run "npm run pack" in the checkout: it builds archives in dist, and those can be published.',
);
process.exit(1);
