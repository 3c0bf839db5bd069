// The sign-in page works without script; this adds the button for passkeys where the browser knows them.
const place = document.getElementById('passkey');
const canUse = window.PublicKeyCredential && 'parseRequestOptionsFromJSON' in window.PublicKeyCredential;

async function post(address, body) {
  const reply = await fetch(address, { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) });
  const answer = await reply.json();
  if (!reply.ok) throw new Error(answer.message);
  return answer;
}

async function logIn() {
  const publicKey = PublicKeyCredential.parseRequestOptionsFromJSON(await post('/passkey/options', {}));
  const credential = await navigator.credentials.get({ publicKey });
  await post('/passkey/login', credential.toJSON());
  // The page at this address, signed in, leads on to where the person wanted to go.
  location.reload();
}

function tell(message) {
  const alert = document.querySelector('.alert') ?? document.createElement('p');
  alert.className = 'alert';
  alert.setAttribute('role', 'alert');
  alert.textContent = message;
  place.closest('.card').querySelector('h1').after(alert);
}

if (place && canUse) {
  place.hidden = false;
  place.querySelector('button').addEventListener('click', () => {
    // Who closes the window of the browser changed their mind.
    logIn().catch((error) => error.name !== 'NotAllowedError' && tell(error.message));
  });
}
