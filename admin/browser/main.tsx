import './style.css';
import { ErrorResponse } from 'oidc-client-ts';
import { render } from 'preact';
import type { PageSettings } from '../settings.ts';
import { App } from './App.tsx';
import { openSession } from './session.ts';

/** More is not needed to recognise it. */
const MOST = 60;

async function start(): Promise<void> {
  const settings: PageSettings = JSON.parse(document.getElementById('settings')?.textContent ?? '');
  const session = await openSession(settings);
  render(<App settings={settings} session={session} />, document.body);
}

start().catch((error: Error) => {
  const { message } = error;
  // Anybody may have made the address that says it: it is quoted, and short, so that nobody takes it for a sentence of this page.
  const said = (
    <>
      Whoever should sign you in has answered: <q>{message.length > MOST ? `${message.slice(0, MOST)}…` : message}</q>
    </>
  );
  render(
    <main>
      <div class="notice" role="alert">
        <h2>You are not signed in</h2>
        <p>{error instanceof ErrorResponse ? said : message}</p>
        <a href={location.pathname}>Try again</a>
      </div>
    </main>,
    document.body,
  );
});
