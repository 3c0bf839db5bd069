/** Runs inside the page (support/checks.ts). Plain script: the page's world knows no modules of ours. */
globalThis.checks = (() => {
  const isShown = (element) =>
    element.checkVisibility({ opacityProperty: true, visibilityProperty: true, contentVisibilityAuto: true }) &&
    !element.closest('.visually-hidden:not(:focus, :active), [inert]') &&
    element.getBoundingClientRect().width > 1;

  const describe = (element) => {
    const text = (element.getAttribute('aria-label') || element.textContent || element.getAttribute('name') || '').trim().slice(0, 40);
    return `<${element.localName}${element.id ? ` id="${element.id}"` : ''}> ${text}`;
  };

  /** A simple reading of the accessible name: enough to find controls that have none. */
  const nameOf = (element) => {
    const labelledBy = (element.getAttribute('aria-labelledby') ?? '')
      .split(' ')
      .map((id) => document.getElementById(id)?.textContent ?? '');
    const labels = [...(element.labels ?? [])].map((label) => label.textContent);
    const pictures = [...element.querySelectorAll('img[alt], svg title, [aria-label]')].map(
      (picture) => picture.getAttribute('alt') || picture.getAttribute('aria-label') || picture.textContent,
    );
    const own = [
      element.getAttribute('aria-label'),
      element.getAttribute('title'),
      element.matches('input, select, textarea') ? '' : element.textContent,
    ];
    return [...labelledBy, ...labels, ...own, ...pictures].join(' ').trim();
  };

  const canvas = new OffscreenCanvas(1, 1).getContext('2d', { willReadFrequently: true });
  const known = new Map();
  /** Any CSS colour as red, green, blue (0 to 255) and alpha (0 to 1). */
  const read = (color) => {
    const seen = known.get(color);
    if (seen) return seen;
    canvas.clearRect(0, 0, 1, 1);
    canvas.fillStyle = color;
    canvas.fillRect(0, 0, 1, 1);
    const [red, green, blue, alpha] = canvas.getImageData(0, 0, 1, 1).data;
    known.set(color, [red, green, blue, alpha / 255]);
    return known.get(color);
  };
  const over = ([r, g, b, a], [R, G, B]) => [r * a + R * (1 - a), g * a + G * (1 - a), b * a + B * (1 - a), 1];
  const luminance = ([r, g, b]) => {
    const [x, y, z] = [r, g, b].map((part) => (part <= 10 ? part / 3294.6 : ((part / 255 + 0.055) / 1.055) ** 2.4));
    return 0.2126 * x + 0.7152 * y + 0.0722 * z;
  };
  const contrast = (a, b) => {
    const [light, dark] = [luminance(a), luminance(b)].sort((x, y) => y - x);
    return (light + 0.05) / (dark + 0.05);
  };

  /** What lies under an element, as far as plain colours tell it; undefined over a picture or under a veil. */
  const groundOf = (element) => {
    const layers = [];
    for (let at = element; at; at = at.parentElement) {
      const style = getComputedStyle(at);
      if (style.backgroundImage !== 'none' || Number(style.opacity) < 1) return undefined;
      const color = read(style.backgroundColor);
      layers.push(color);
      if (color[3] === 1) break;
    }
    return layers.reduceRight((ground, layer) => over(layer, ground), read('Canvas'));
  };

  /** Every text that one can read: elements with a text of their own, and fields with what is written in them or stands there until then. */
  const shownTexts = () => {
    const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    const texts = [];
    for (let node = walker.nextNode(); node; node = walker.nextNode()) {
      const element = node.parentElement;
      if (node.data.trim() && !element.closest('script, style, svg')) texts.push({ element, style: getComputedStyle(element) });
    }
    for (const element of document.querySelectorAll('input:not([type="checkbox"], [type="radio"], [type="hidden"]), textarea')) {
      if (element.value) texts.push({ element, style: getComputedStyle(element) });
      else if (element.placeholder) texts.push({ element, style: getComputedStyle(element, '::placeholder') });
    }
    return texts.filter(({ element }) => isShown(element) && !element.closest(':disabled, [aria-disabled="true"]'));
  };

  const faintTexts = () => {
    const found = new Set();
    for (const { element, style } of shownTexts()) {
      const ground = groundOf(element);
      if (!ground) continue;
      const size = Number.parseFloat(style.fontSize);
      const isLarge = size >= 24 || (size >= 18.66 && Number(style.fontWeight) >= 700);
      const ratio = contrast(over(read(style.color), ground), ground);
      if (ratio < (isLarge ? 3 : 4.5)) found.add(`faint text (${ratio.toFixed(2)}): ${describe(element)}`);
      if (size < 12 && !element.closest('[aria-hidden="true"]')) found.add(`text of ${size} px: ${describe(element)}`);
    }
    return [...found];
  };

  const duplicateIds = () => {
    const ids = [...document.querySelectorAll('[id]')].map(({ id }) => id);
    return [...new Set(ids.filter((id, at) => ids.indexOf(id) !== at))].map((id) => `duplicate id: ${id}`);
  };

  const nameless = () => {
    const controls = document.querySelectorAll(
      'input:not([type="hidden"]), select, textarea, button, a[href], [role="button"], [role="checkbox"], [role="combobox"], [role="dialog"], dialog[open], iframe, nav',
    );
    const images = [...document.querySelectorAll('img:not([alt], [aria-hidden="true"])')].map(
      (image) => `picture without alt: ${image.src}`,
    );
    return [...controls]
      .filter((control) => isShown(control) && !control.closest('[aria-hidden="true"]') && !nameOf(control))
      .map((control) => `without a name: ${describe(control)} ${control.className}`)
      .concat(images);
  };

  const structure = () => {
    const headings = [...document.querySelectorAll('h1, h2, h3, h4, h5, h6')].filter(
      (heading) => heading.checkVisibility() && !heading.closest('[role="dialog"], dialog'),
    );
    const levels = headings.map(({ localName }) => Number(localName[1]));
    const faults =
      levels.filter((level) => level === 1).length === 1
        ? []
        : [`${levels.filter((level) => level === 1).length} headings of the first level`];
    levels.forEach((level, at) => {
      if (at > 0 && level > levels[at - 1] + 1)
        faults.push(`a heading of level ${level} follows one of level ${levels[at - 1]}: ${describe(headings[at])}`);
    });
    if (!document.title) faults.push('no title');
    if (!document.documentElement.lang) faults.push('no language');
    if (document.querySelectorAll('main').length !== 1) faults.push(`${document.querySelectorAll('main').length} main parts`);
    return faults;
  };

  return {
    accessibility: () => [...duplicateIds(), ...nameless(), ...structure(), ...faintTexts()],

    /** How many pixels the page is wider than its window, and by what. */
    overflow: () => {
      const { scrollWidth, clientWidth } = document.scrollingElement;
      if (scrollWidth <= clientWidth) return [];
      const wide = [...document.body.querySelectorAll('*')].filter(
        (element) => element.getBoundingClientRect().right > clientWidth + 0.5 && isShown(element),
      );
      return [
        `${scrollWidth - clientWidth} px too wide: ${wide
          .slice(-3)
          .map((element) => `${describe(element)} ${element.className}`)
          .join(' | ')}`,
      ];
    },

    /** Headings and main actions that stand partly beside the window, or in a box that hides the rest and cannot be scrolled. */
    clipped: () => {
      const { clientWidth } = document.scrollingElement;
      const isCut = (element) => {
        const box = element.getBoundingClientRect();
        for (let at = element.parentElement; at && at !== document.body; at = at.parentElement) {
          const { overflowX, overflowY, position } = getComputedStyle(at);
          if (/auto|scroll/.test(overflowX + overflowY)) return false;
          const hull = at.getBoundingClientRect();
          const isWide = box.left < hull.left - 1 || box.right > hull.right + 1;
          const isHigh = box.top < hull.top - 1 || box.bottom > hull.bottom + 1;
          if ((overflowX !== 'visible' && isWide) || (overflowY !== 'visible' && isHigh)) return true;
          if (position === 'fixed') break;
        }
        return box.left < -1 || box.right > clientWidth + 1;
      };
      return [...document.querySelectorAll('h1, .ant-btn-primary, header button, header a')]
        .filter((element) => isShown(element) && isCut(element))
        .map((element) => `cut off: ${describe(element)}`);
    },

    /** What has the focus, and whether one can see it. */
    focus: () => {
      const element = document.activeElement;
      if (!element || element === document.body) return null;
      const isMarked = (one) => {
        if (!one) return false;
        const { outlineStyle, outlineWidth, boxShadow } = getComputedStyle(one);
        return (outlineStyle !== 'none' && Number.parseFloat(outlineWidth) > 0) || boxShadow !== 'none';
      };
      // The input of a radio button has no size of its own: its label is what one sees.
      const box = element.matches('input[type=radio]') ? (element.closest('label') ?? element) : element;
      const { width, height } = box.getBoundingClientRect();
      // A text one writes into shows its caret.
      const isEditor = element.isContentEditable;
      const isVisible =
        isEditor ||
        [element, element.parentElement, element.nextElementSibling, element.closest('label, .ant-select, .ant-picker')].some(isMarked);
      const role = element.getAttribute('role') ?? element.localName;
      return { name: nameOf(element) || describe(element), role, isVisible: isVisible && width > 0 && height > 0, isEditor };
    },
  };
})();
