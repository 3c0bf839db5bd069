/** security 14: addresses that have tricked browsers. Every result must resolve to our own origin. */
// biome-ignore format: a table of shapes
export const hostileNexts = [
  '//evil.com', '///evil.com', '////evil.com', '/////evil.com//', '\\\\evil.com', '\\/evil.com', '/\\/evil.com', '/\\\\evil.com',
  '/\t/evil.com', '/\n/evil.com', '/\r\n/evil.com', '\t//evil.com', ' //evil.com', '\u0001//evil.com', '//\tevil.com', '/\u0000/evil.com',
  'https:evil.com', 'https:/evil.com', 'https:///evil.com', 'https:\\\\evil.com', 'HTTPS://evil.com', 'hTTp:evil.com', 'http:/\\evil.com',
  'javascript:alert(1)', 'JavaScript:alert(1)', 'java\nscript:alert(1)', ' javascript:alert(1)', 'javascript://x.io/%0aalert(1)',
  'data:text/html;base64,PHNjcmlwdD4=', 'vbscript:x', 'blob:https://evil.com/x', 'ftp://evil.com', 'ws://evil.com', 'mailto:a@evil.com',
  '//evil.com/', '//evil.com/a', '//user:pw@evil.com/a', '//evil.com:80/a', '//evil.com?x', '//evil.com#x', '//[::1]/a', '//%65vil.com/a',
  '/.//evil.com', '/..//evil.com', '/a/..//evil.com', './/evil.com', '..//evil.com', './/', '/%2e//evil.com', '/./\\evil.com',
  '/%2f/evil.com', '/%5cevil.com', '/%09/evil.com', '%2f%2fevil.com', '/%252f%252fevil.com', '/\u2215/evil.com', '/\uff0fevil.com', '／／evil.com',
  '@evil.com', ':@evil.com', ':80', 'evil.com:80/x', 'x:y', '.evil.com', 'evil.com', '?//evil.com', '#//evil.com', '?next=//evil.com',
  'http://localhost\\@evil.com/', 'http://localhost#@evil.com/', 'http://localhost?@evil.com/', 'https://evil.com\\.localhost/a', '//\u3002evil.com',
  `//${'a'.repeat(5000)}`, `/${'a'.repeat(5000)}`, '', '\ud800', '/\u202e/moc.live',
];
