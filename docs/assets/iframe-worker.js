// Browsers refuse workers in pages opened from a folder. There, search runs in a hidden frame.
if (location.protocol === "file:") {
  window.Worker = class extends EventTarget {
    constructor(url) {
      super();
      const frame = document.createElement("iframe");
      frame.hidden = true;
      document.body.appendChild(frame);
      const room = frame.contentWindow;
      room.postMessage = (data) =>
        this.dispatchEvent(new MessageEvent("message", { data }));
      const script = room.document.createElement("script");
      script.src = new URL(url, location.href).href;
      this.ready = new Promise((resolve) => script.addEventListener("load", resolve));
      room.document.body.appendChild(script);
      this.room = room;
    }
    async postMessage(data) {
      await this.ready;
      this.room.dispatchEvent(new MessageEvent("message", { data }));
    }
    terminate() {
      this.room.frameElement.remove();
    }
  };
}
