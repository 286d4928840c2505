// Refuses `npm pack` and `npm publish` in a package of the checkout. Plain JavaScript, for the Node that runs npm.
console.error(
  'Sources cannot be installed. Run "npm run pack" in the checkout: it builds archives in dist, and those can be published.',
);
process.exit(1);
