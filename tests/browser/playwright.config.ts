import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { chromium, defineConfig } from '@playwright/test';

/** The usual paths of Chromium and Chrome. */
const USUAL_PLACES = [
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
];

function findBrowser(): string {
  const places = [process.env.CHROMIUM_PATH ?? '', chromium.executablePath(), ...USUAL_PLACES];
  const found = places.find((place) => place !== '' && existsSync(place));
  if (found) return found;
  throw new Error(
    'No Chromium was found. Install one with "npx playwright install chromium" in tests/browser, or with the packages of the system ' +
      '(Debian: "apt-get install chromium"), or name one in CHROMIUM_PATH.',
  );
}

/** Firefox as Debian has it. Without it the tests run in Chromium alone, unless one is named. */
const { FIREFOX_PATH } = process.env;
const hasFirefox = FIREFOX_PATH !== undefined || existsSync('/usr/bin/firefox-esr');

/** Other fonts would change the picture. */
const hasFonts = ['liberation', 'liberation2'].some((fonts) => existsSync(`/usr/share/fonts/truetype/${fonts}`));

export default defineConfig({
  ignoreSnapshots: !hasFonts,
  testDir: '.',
  // The coverage of other tests is emptied when they begin.
  outputDir: '../../.local/browser',
  reporter: 'list',
  // The tests of a file share a service: one after another. A file waits most of its time for what is told later.
  workers: 2,
  // Ends what hangs. No test waits for it.
  timeout: 300_000,
  // The documentation shows these pictures.
  snapshotPathTemplate: '{testDir}/../../docs/pictures/{arg}{ext}',
  expect: { timeout: 120_000 },
  use: { viewport: { width: 1280, height: 900 } },
  projects: [
    {
      name: 'chromium',
      use: {
        launchOptions: { executablePath: findBrowser(), args: ['--no-sandbox', '--disable-background-networking'] },
      },
    },
    // The tasks of a clerk, in another engine.
    ...(hasFirefox
      ? [
          {
            name: 'firefox',
            testMatch: 'clerk.spec.ts',
            // Files that are saved, and paper, are beyond what Firefox takes by WebDriver BiDi. Findings of axe are of the markup, the same in both.
            grepInvert: /export|on paper|findings of axe/,
            use: {
              browserName: 'firefox' as const,
              channel: 'moz-firefox',
              launchOptions: { executablePath: fileURLToPath(new URL('firefox.ts', import.meta.url)) },
            },
          },
        ]
      : []),
  ],
});
