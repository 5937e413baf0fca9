// The conversation that is named is framed.
document.addEventListener("duologue-page", ({ detail: { main, signal } }) => {
  main.addEventListener("change", ({ target }) => {
    for (const [place, dialogue] of main.querySelectorAll(".dialogue").entries())
      dialogue.classList.toggle("is-named", target.value === String(place + 1));
  }, { signal });
});
