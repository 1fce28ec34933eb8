// Pages around the sample of the dashboard for Express, which is before these lines. The sample keeps no tokens, so the service asks at the sign-out.
app.get('/', (request, response) => {
  if (request.session.user) response.json(request.session.user);
  else response.redirect('/sign-in');
});
app.get('/sign-out', (request, response) => {
  const post_logout_redirect_uri = `${process.env.APP_URL}/signed-out`;
  request.session.destroy(() => response.redirect(openid.buildEndSessionUrl(config, { post_logout_redirect_uri }).href));
});
app.get('/signed-out', (_request, response) => response.send('Signed out'));
app.listen(Number(process.env.PORT), '127.0.0.1');
