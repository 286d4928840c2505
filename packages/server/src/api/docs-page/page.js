// Starts the viewer on the document of this very service. Keys that are typed in stay in the page and go with it.
window.SwaggerUIBundle({
  url: '/openapi.json',
  domNode: document.getElementById('viewer'),
  deepLinking: true,
  docExpansion: 'none',
  defaultModelsExpandDepth: 0,
  filter: true,
  persistAuthorization: false,
  // Otherwise it would ask a service elsewhere whether the document is valid.
  validatorUrl: null,
});
