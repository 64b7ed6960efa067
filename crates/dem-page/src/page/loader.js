// Makes the modules of the page known by their names and starts it. Modules find each other through an import map, because a page from a disk may load no file.
(() => {
  const message = (text) => {
    const element = document.getElementById('message');
    element.textContent = text;
    element.hidden = false;
  };
  if (typeof DecompressionStream === 'undefined' || !HTMLScriptElement.supports?.('importmap')) {
    message('This browser is too old for the picture. It needs Chrome 89, Edge 89, Firefox 113 or Safari 16.4, or later ones.');
    return;
  }
  const imports = {};
  for (const element of document.querySelectorAll('script[data-module]')) {
    const blob = new Blob([element.textContent], { type: 'text/javascript' });
    imports[element.dataset.module] = URL.createObjectURL(blob);
    element.remove();
  }
  const map = document.createElement('script');
  map.type = 'importmap';
  map.textContent = JSON.stringify({ imports });
  document.head.append(map);
  import('dem/main').catch((error) => message(`The picture cannot be drawn: ${error.message}`));
})();
