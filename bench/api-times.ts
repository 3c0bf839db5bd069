/** Asks for the session and for lists, one after the other, and prints how long each took, in ms. */
const [url = '', key = '', until = '0'] = process.argv.slice(2);
const paths = ['/api/session', '/api/users', '/api/data_sources', '/api/groups'];

const ask = async (path: string) => {
  const startedAt = performance.now();
  await (await fetch(`${url}${path}`, { headers: { authorization: `Key ${key}` } })).text();
  return performance.now() - startedAt;
};

await ask('/api/session'); // the connection
const times: number[] = [];
for (let i = 0; Date.now() < Number(until); i++) {
  times.push(await ask(paths[i % paths.length] ?? ''));
  await new Promise((resolve) => setTimeout(resolve, 20));
}
console.log(JSON.stringify(times));
