// On a phone: which of the two dialogues is in view.
export function followJumps(main, signal) {
  const links = [...main.querySelectorAll(".jump a")];
  if (!links.length || !("IntersectionObserver" in window)) return;
  const linkTo = (section) => links.find((link) => link.hash === `#${section.id}`);
  const watcher = new IntersectionObserver((entries) => {
    for (const { target, isIntersecting } of entries) {
      const link = linkTo(target);
      if (isIntersecting) link.setAttribute("aria-current", "true");
      else link.removeAttribute("aria-current");
    }
  }, { rootMargin: "-30% 0px -60% 0px" });
  for (const section of main.querySelectorAll(".dialogue")) watcher.observe(section);
  signal.addEventListener("abort", () => watcher.disconnect());
}
