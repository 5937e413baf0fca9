// On a small screen: which of the dialogues is in view, and not only by a strip at the edge.
const STRIP = 60; // pixels

export function followJumps(main, signal) {
  const links = [...main.querySelectorAll(".jump a")];
  if (!links.length || !("IntersectionObserver" in window)) return;
  const linkTo = (section) => links.find((link) => link.hash === `#${section.id}`);
  const watcher = new IntersectionObserver((entries) => {
    for (const { target, isIntersecting, intersectionRect } of entries) {
      const link = linkTo(target);
      if (isIntersecting && intersectionRect.width > STRIP) link.setAttribute("aria-current", "true");
      else link.removeAttribute("aria-current");
    }
  }, { rootMargin: "-30% 0px -60% 0px", threshold: [0, 0.03, 0.06, 0.09] });
  for (const section of main.querySelectorAll(".dialogue")) watcher.observe(section);
  signal.addEventListener("abort", () => watcher.disconnect());
}
