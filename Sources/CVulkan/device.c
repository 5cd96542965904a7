#include <stdlib.h>

#include "cvk_internal.h"

enum { MOST_FAMILIES = 32 };

/// Finds the queues: one that computes, and, where copies are to run beside it, a family that only copies.
static cvk_status choose_families(cvk_baker *baker, uint32_t *transfer_queues) {
  VkQueueFamilyProperties families[MOST_FAMILIES];
  uint32_t count = MOST_FAMILIES;
  baker->loader->GetPhysicalDeviceQueueFamilyProperties(baker->physical, &count, families);
  int computes = 0, only_computes = 0;
  for (uint32_t i = 0; i < count; i++) {
    if (!(families[i].queueFlags & VK_QUEUE_COMPUTE_BIT) || families[i].queueCount == 0) continue;
    // Better one that the desktop does not draw with.
    const int alone = !(families[i].queueFlags & VK_QUEUE_GRAPHICS_BIT);
    if (computes && (only_computes || !alone)) continue;
    computes = 1;
    only_computes = alone;
    baker->compute_family = i;
  }
  if (!computes) return (cvk_status){ VK_ERROR_FEATURE_NOT_PRESENT, "vkGetPhysicalDeviceQueueFamilyProperties" };
  baker->transfer_family = baker->compute_family;
  *transfer_queues = 0;
  for (uint32_t i = 0; i < count && baker->setup.is_staged; i++) {
    const VkQueueFlags others = VK_QUEUE_COMPUTE_BIT | VK_QUEUE_GRAPHICS_BIT;
    if (!(families[i].queueFlags & VK_QUEUE_TRANSFER_BIT) || families[i].queueFlags & others) continue;
    if (families[i].queueCount <= *transfer_queues) continue;
    baker->transfer_family = i;
    *transfer_queues = families[i].queueCount;
  }
  return cvk_success;
}

cvk_status cvk_make_device(cvk_baker *baker) {
  uint32_t transfer_queues;
  CVK_PASS(choose_families(baker, &transfer_queues));
  const float priorities[2] = { 1, 1 };
  const VkDeviceQueueCreateInfo queues[2] = {
    { .sType = VK_STRUCTURE_TYPE_DEVICE_QUEUE_CREATE_INFO, .queueFamilyIndex = baker->compute_family, .queueCount = 1,
      .pQueuePriorities = priorities },
    { .sType = VK_STRUCTURE_TYPE_DEVICE_QUEUE_CREATE_INFO, .queueFamilyIndex = baker->transfer_family,
      .queueCount = transfer_queues > 1 ? 2 : 1, .pQueuePriorities = priorities },
  };
  const VkDeviceCreateInfo info = {
    .sType = VK_STRUCTURE_TYPE_DEVICE_CREATE_INFO, .queueCreateInfoCount = transfer_queues > 0 ? 2 : 1,
    .pQueueCreateInfos = queues
  };
  CVK_TRY(baker->loader, CreateDevice, baker->physical, &info, NULL, &baker->device);

#define LOOK_UP(NAME)                                                                                                 \
  baker->vk.NAME = (PFN_vk##NAME)baker->loader->GetDeviceProcAddr(baker->device, "vk" #NAME);                         \
  if (!baker->vk.NAME) return (cvk_status){ VK_ERROR_INITIALIZATION_FAILED, "vk" #NAME };
  CVK_DEVICE_FUNCTIONS(LOOK_UP)
#undef LOOK_UP

  const cvk_functions *vk = &baker->vk;
  vk->GetDeviceQueue(baker->device, baker->compute_family, 0, &baker->compute_queue);
  baker->upload_queue = baker->download_queue = baker->compute_queue;
  if (transfer_queues > 0) vk->GetDeviceQueue(baker->device, baker->transfer_family, 0, &baker->upload_queue);
  // A single copying queue takes the uploads: a download that waits for its shader would hold up the next of them.
  if (transfer_queues > 1) vk->GetDeviceQueue(baker->device, baker->transfer_family, 1, &baker->download_queue);

  VkCommandPoolCreateInfo pool = {
    .sType = VK_STRUCTURE_TYPE_COMMAND_POOL_CREATE_INFO, .queueFamilyIndex = baker->compute_family
  };
  CVK_TRY(vk, CreateCommandPool, baker->device, &pool, NULL, &baker->compute_pool);
  pool.queueFamilyIndex = baker->transfer_family;
  CVK_TRY(vk, CreateCommandPool, baker->device, &pool, NULL, &baker->transfer_pool);
  return cvk_success;
}

/// The memory type that has all of `needed` and the most of `wished`, the first wish before the second.
static int memory_type(
    const cvk_baker *baker, uint32_t allowed, VkMemoryPropertyFlags needed, const VkMemoryPropertyFlags wished[2]) {
  int best = -1, best_score = -1;
  for (uint32_t i = 0; i < baker->memory.memoryTypeCount; i++) {
    const VkMemoryPropertyFlags flags = baker->memory.memoryTypes[i].propertyFlags;
    if (!(allowed >> i & 1) || (flags & needed) != needed) continue;
    const int score = 2 * ((flags & wished[0]) != 0) + ((flags & wished[1]) != 0);
    if (score <= best_score) continue;
    best = (int)i;
    best_score = score;
  }
  return best;
}

cvk_status cvk_make_buffer(
    cvk_baker *baker, VkDeviceSize size, VkBufferUsageFlags usage, cvk_use use, cvk_buffer *buffer) {
  const cvk_functions *vk = &baker->vk;
  const uint32_t families[2] = { baker->compute_family, baker->transfer_family };
  const int is_shared = families[0] != families[1];
  const VkBufferCreateInfo info = {
    .sType = VK_STRUCTURE_TYPE_BUFFER_CREATE_INFO, .size = size, .usage = usage,
    .sharingMode = is_shared ? VK_SHARING_MODE_CONCURRENT : VK_SHARING_MODE_EXCLUSIVE,
    .queueFamilyIndexCount = is_shared ? 2 : 0, .pQueueFamilyIndices = is_shared ? families : NULL
  };
  CVK_TRY(vk, CreateBuffer, baker->device, &info, NULL, &buffer->buffer);
  VkMemoryRequirements requirements;
  vk->GetBufferMemoryRequirements(baker->device, buffer->buffer, &requirements);

  const VkMemoryPropertyFlags host = VK_MEMORY_PROPERTY_HOST_VISIBLE_BIT | VK_MEMORY_PROPERTY_HOST_COHERENT_BIT;
  // A discrete device's own memory that the host maps is small, or slow to read: copies go by the host's.
  const VkMemoryPropertyFlags near = baker->setup.is_staged ? 0 : VK_MEMORY_PROPERTY_DEVICE_LOCAL_BIT;
  const VkMemoryPropertyFlags cached = VK_MEMORY_PROPERTY_HOST_CACHED_BIT;
  const VkMemoryPropertyFlags wished[3][2] = {
    [CVK_HOST_WRITES] = { near, 0 },
    [CVK_HOST_READS] = { cached, near },
    [CVK_DEVICE_ONLY] = { VK_MEMORY_PROPERTY_DEVICE_LOCAL_BIT, 0 },
  };
  const int type = memory_type(baker, requirements.memoryTypeBits, use == CVK_DEVICE_ONLY ? 0 : host, wished[use]);
  if (type < 0) return (cvk_status){ VK_ERROR_OUT_OF_DEVICE_MEMORY, "vkAllocateMemory" };
  const VkMemoryAllocateInfo memory = {
    .sType = VK_STRUCTURE_TYPE_MEMORY_ALLOCATE_INFO, .allocationSize = requirements.size,
    .memoryTypeIndex = (uint32_t)type
  };
  CVK_TRY(vk, AllocateMemory, baker->device, &memory, NULL, &buffer->memory);
  CVK_TRY(vk, BindBufferMemory, baker->device, buffer->buffer, buffer->memory, 0);
  buffer->size = size;
  if (use != CVK_DEVICE_ONLY) {
    void *mapped;
    CVK_TRY(vk, MapMemory, baker->device, buffer->memory, 0, VK_WHOLE_SIZE, 0, &mapped);
    buffer->mapped = mapped;
  }
  return cvk_success;
}

void cvk_free_buffer(cvk_baker *baker, cvk_buffer *buffer) {
  baker->vk.DestroyBuffer(baker->device, buffer->buffer, NULL);
  baker->vk.FreeMemory(baker->device, buffer->memory, NULL);
}
