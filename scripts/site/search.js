// The search of the site. The index is a script, not a file that is fetched, so that it works where the pages are opened from
// a folder, without a server and without a network.
(function () {
  const load = (name, then) => {
    const script = document.createElement('script');
    script.src = base_url + '/search/' + name;
    script.onload = then;
    document.head.appendChild(script);
  };

  const show = (found) => {
    const list = document.getElementById('mkdocs-search-results');
    list.replaceChildren();
    for (const page of found.slice(0, 50)) {
      const article = list.appendChild(document.createElement('article'));
      const link = article.appendChild(document.createElement('h3')).appendChild(document.createElement('a'));
      link.href = base_url + '/' + page.location;
      link.textContent = page.title;
      article.appendChild(document.createElement('p')).textContent = page.text.substring(0, 200);
    }
    if (found.length === 0) list.appendChild(document.createElement('p')).textContent = list.dataset.noResultsText;
  };

  const start = () => {
    lunr.tokenizer.separator = /[\s\-.:,;()\[\]"'=]+/;
    const pages = new Map(gpcv_pages.map((page) => [page.location, page]));
    const index = lunr(function () {
      this.field('title', {boost: 5});
      this.field('text');
      this.ref('location');
      gpcv_pages.forEach((page) => this.add(page));
    });
    const search = (words) => index.query((query) => {
      for (const word of lunr.tokenizer(words.toLowerCase())) {
        query.term(word.toString(), {boost: 10});
        query.term(word.toString(), {wildcard: lunr.Query.wildcard.TRAILING, usePipeline: false});
      }
    });
    const field = document.getElementById('mkdocs-search-query');
    const answer = () => show(field.value.trim() === '' ? [] : search(field.value).map((result) => pages.get(result.ref)));
    field.addEventListener('input', answer);
    field.value = new URLSearchParams(window.location.search).get('q') || '';
    answer();
  };

  if (document.getElementById('mkdocs-search-results')) load('lunr.js', () => load('pages.js', start));
})();
