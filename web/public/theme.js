// Before the first paint: the chosen theme, or the system's.
(() => {
  let theme = null;
  try {
    theme = localStorage.getItem('telltale:theme');
  } catch {
    // A browser that keeps nothing follows the system.
  }
  if (theme !== 'light' && theme !== 'dark') theme = matchMedia('(prefers-color-scheme: dark)').matches ? 'dark' : 'light';
  document.documentElement.dataset.theme = theme;
  // Pages inside other sites begin without the bar of the console.
  if (/^\/(embed|public)\//.test(location.pathname)) document.documentElement.dataset.shared = '';
})();
