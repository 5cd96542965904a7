#ifndef FAULTYVULKAN_H
#define FAULTYVULKAN_H

// Stands in for libvulkan and fails on order: passes everything on to the real one but the call that its own file's
// name names, as in "QueueSubmit.7.-4.so": from the seventh vkQueueSubmit on it answers VkResult -4, a lost device.
// A fourth number is how many milliseconds every wait takes before the fault.
// Tests copy it under the name of the fault they want.

#endif
