import { useShared } from './shared.ts';

/** How a stage without users gets some. */
export function Empty() {
  const { api, isLocal } = useShared().settings;
  return (
    <div class="notice">
      <h2>No users yet</h2>
      <p>{isLocal ? 'Invent some, or import your own' : 'Import your users'}, in a folder of this project:</p>
      {isLocal && <pre>npm run seed -- --users 5000</pre>}
      <pre>{`npm run import -- --url ${location.origin}${api.replace(/\/api$/, '')} --file users.csv`}</pre>
    </div>
  );
}
