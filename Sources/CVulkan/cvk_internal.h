#ifndef CVK_INTERNAL_H
#define CVK_INTERNAL_H

#define VK_NO_PROTOTYPES
#include <vulkan/vulkan_core.h>

#include "CVulkan.h"

// Every function is looked up at run time; these lists are what there is.

#define CVK_INSTANCE_FUNCTIONS(X)                                                                                     \
  X(DestroyInstance) X(EnumeratePhysicalDevices) X(GetPhysicalDeviceProperties) X(GetPhysicalDeviceMemoryProperties)  \
  X(GetPhysicalDeviceQueueFamilyProperties) X(CreateDevice) X(GetDeviceProcAddr)

#define CVK_DEVICE_FUNCTIONS(X)                                                                                       \
  X(DestroyDevice) X(DeviceWaitIdle) X(GetDeviceQueue) X(QueueSubmit) X(QueueWaitIdle)                                \
  X(CreateBuffer) X(DestroyBuffer) X(GetBufferMemoryRequirements) X(AllocateMemory) X(FreeMemory) X(MapMemory)        \
  X(BindBufferMemory) X(CreateShaderModule) X(DestroyShaderModule) X(CreateDescriptorSetLayout)                       \
  X(DestroyDescriptorSetLayout) X(CreatePipelineLayout) X(DestroyPipelineLayout) X(CreateComputePipelines)            \
  X(DestroyPipeline) X(CreateDescriptorPool) X(DestroyDescriptorPool) X(AllocateDescriptorSets)                       \
  X(UpdateDescriptorSets) X(CreateCommandPool) X(DestroyCommandPool) X(AllocateCommandBuffers) X(BeginCommandBuffer)  \
  X(EndCommandBuffer) X(CmdBindPipeline) X(CmdBindDescriptorSets) X(CmdDispatch) X(CmdCopyBuffer)                     \
  X(CmdPipelineBarrier) X(CreateSemaphore) X(DestroySemaphore) X(CreateFence) X(DestroyFence) X(ResetFences)          \
  X(WaitForFences)

#define CVK_MEMBER(NAME) PFN_vk##NAME NAME;

struct cvk_loader {
  VkInstance instance;
  PFN_vkGetInstanceProcAddr GetInstanceProcAddr;
  CVK_INSTANCE_FUNCTIONS(CVK_MEMBER)
  VkPhysicalDevice *devices;
  uint32_t device_count;
};

typedef struct cvk_functions {
  CVK_DEVICE_FUNCTIONS(CVK_MEMBER)
} cvk_functions;

typedef struct cvk_buffer {
  VkBuffer buffer;
  VkDeviceMemory memory;
  VkDeviceSize size;
  uint8_t *mapped;
} cvk_buffer;

typedef struct cvk_slot {
  cvk_buffer source;                  // the host's
  cvk_buffer device_source, device_target;  // the device's own, where staged
  VkCommandBuffer upload, compute;    // where staged
  VkSemaphore uploaded, computed;     // where staged
  VkCommandBuffer *into;              // by target: the download where staged, else the shader itself
  VkFence done;
} cvk_slot;

struct cvk_baker {
  const cvk_loader *loader;
  VkPhysicalDevice physical;
  VkPhysicalDeviceMemoryProperties memory;
  VkDevice device;
  cvk_functions vk;
  uint32_t compute_family, transfer_family;
  VkQueue compute_queue, upload_queue, download_queue;
  VkCommandPool compute_pool, transfer_pool;
  VkDescriptorSetLayout set_layout;
  VkPipelineLayout pipeline_layout;
  VkPipeline pipeline;
  VkDescriptorPool descriptor_pool;
  cvk_buffer table, shaper;
  cvk_setup setup;
  cvk_slot *slots;
  cvk_buffer *targets;
  int is_hung;
};

/// Returns the call's status from the function around it unless it is VK_SUCCESS.
#define CVK_TRY(HOLDER, CALL, ...)                                                                                    \
  do {                                                                                                                \
    const VkResult result_ = (HOLDER)->CALL(__VA_ARGS__);                                                             \
    if (result_ != VK_SUCCESS) return (cvk_status){ result_, "vk" #CALL };                                            \
  } while (0)

#define CVK_PASS(STATUS)                                                                                              \
  do {                                                                                                                \
    const cvk_status status_ = (STATUS);                                                                              \
    if (status_.result != 0) return status_;                                                                          \
  } while (0)

static const cvk_status cvk_success = { 0, "" };

/// What a buffer's memory has to be good at.
typedef enum cvk_use {
  CVK_HOST_WRITES,  ///< written by the host from end to end
  CVK_HOST_READS,
  CVK_DEVICE_ONLY,
} cvk_use;

cvk_status cvk_make_device(cvk_baker *baker);
cvk_status cvk_make_buffer(
    cvk_baker *baker, VkDeviceSize size, VkBufferUsageFlags usage, cvk_use use, cvk_buffer *buffer);
void cvk_free_buffer(cvk_baker *baker, cvk_buffer *buffer);
cvk_status cvk_make_pipeline(cvk_baker *baker);
cvk_status cvk_make_set(
    cvk_baker *baker, const cvk_buffer *source, const cvk_buffer *target, VkDescriptorSet *set);
cvk_status cvk_make_table(cvk_baker *baker, const void *bytes, size_t count, cvk_buffer *buffer);
cvk_status cvk_make_commands(cvk_baker *baker, VkCommandPool pool, VkCommandBuffer *commands);
cvk_status cvk_record_slot(cvk_baker *baker, cvk_slot *slot);

#endif
